-- Several charges, all or none. A key may come more than once, under other parameters. A charge of
-- nothing always fits and changes nothing.
-- KEYS: one for each charge. ARGV: clock, then for each charge its algorithm, what all charges on
-- its key ask for together, what it asks for itself, and its parameters:
--   bucket: time (u, p), own time (u, p), how far ahead at most (u, p)
--   fixed: cost, own cost, limit, window
--   sliding: cost, own cost, limit, segment's length, segments
local now, pad = time(ARGV[1])
local raws, states, seen = {}, {}, {}
local allowed, at = true, 2

for i, key in ipairs(KEYS) do
  local raw = seen[key]
  if raw == nil then
    raw = call('GET', key)
    seen[key] = raw
  end
  raws[i] = raw
  local kind = ARGV[at]
  if kind == 'bucket' then
    local u, p = bucket_read(raw, now)
    if not u then
      return foreign()
    end
    states[i] = { u, p }
    u, p = bucket_charge(u, p, ARGV[at + 1] + 0, ARGV[at + 2] + 0)
    local fits = bucket_within(u, p, now, ARGV[at + 5] + 0, ARGV[at + 6] + 0)
    allowed = (fits or ARGV[at + 1] == '0') and allowed
    at = at + 7
  elseif kind == 'fixed' then
    local ends, count = fixed_read(raw, now)
    if ends == false then
      return foreign()
    end
    states[i] = { ends, count }
    local fits = count + ARGV[at + 1] <= ARGV[at + 3] + 0
    allowed = (fits or ARGV[at + 1] == '0') and allowed
    at = at + 5
  else
    local segment, n = ARGV[at + 4] + 0, ARGV[at + 5] + 0
    local number, full, counts = sliding_at(raw, now, segment, n)
    if not number then
      return foreign()
    end
    states[i] = { number, full, counts }
    local cost, limit = ARGV[at + 1] + 0, ARGV[at + 3] + 0
    local fits = cost == 0 or sliding_fits(number, full, counts, now, segment, n, cost, limit)
    allowed = fits and allowed
    at = at + 6
  end
end

if allowed then
  at = 2
  local written = {}
  for i, key in ipairs(KEYS) do
    local state, kind = states[i], ARGV[at]
    local again = written[key]
    written[key] = true
    if kind == 'bucket' then
      if again then
        state = { bucket_read(call('GET', key), now) }
      end
      if ARGV[at + 3] ~= '0' then
        local u, p = bucket_charge(state[1], state[2], ARGV[at + 3] + 0, ARGV[at + 4] + 0)
        bucket_write(key, u, p, now, pad)
      end
      at = at + 7
    elseif kind == 'fixed' then
      if again then
        state = { fixed_read(call('GET', key), now) }
      end
      if ARGV[at + 2] ~= '0' then
        local ends = state[1] or now + ARGV[at + 4]
        fixed_write(key, ends, state[2] + ARGV[at + 2], now, pad)
      end
      at = at + 5
    else
      local segment, n = ARGV[at + 4] + 0, ARGV[at + 5] + 0
      if again then
        state = { sliding_at(call('GET', key), now, segment, n) }
      end
      if ARGV[at + 2] ~= '0' then
        sliding_charge(key, state[1], state[2], state[3], now, pad, segment, n, ARGV[at + 2] + 0)
      end
      at = at + 6
    end
  end
end
return { allowed and 1 or 0, now, unpack(raws) }
