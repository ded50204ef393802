-- Fixed window: it opens at a key's first charge and ends a window's length later.
-- KEYS: the key. ARGV: operation, clock, cost, limit, window.
local op, key, cost = ARGV[1], KEYS[1], ARGV[3] + 0
local now, pad = time(ARGV[2])
local raw = call('GET', key)
local ends, count = fixed_read(raw, now)
if ends == false then
  return foreign()
end
local allowed = true
if op == 'refund' then
  if ends then
    fixed_write(key, ends, math.max(count - cost, 0), now, pad)
  end
elseif op ~= 'peek' then
  allowed = count + cost <= ARGV[4] + 0
  if allowed then
    fixed_write(key, ends or now + ARGV[5], count + cost, now, pad)
  end
end
return answer(op, allowed, now, raw)
