-- What token and leaky bucket share: one instant per key. It is u - p / 2^32 microseconds, u being
-- rounded up; kept as `u`, or `u-p` where p is not 0.
local PARTS = 4294967296

-- The key's instant, not before now; nil if the value is not one.
local function bucket_read(raw, now)
  if not raw then
    return now, 0
  end
  local u, p = raw, 0
  if not string.find(raw, '^%d+$') then
    u, p = string.match(raw, '^(%d+)%-(%d+)$')
    if not u then
      return nil
    end
    p = p + 0
  end
  u = u + 0
  if u > 9007199254740992 or p >= PARTS then
    return nil
  end
  if u <= now then
    return now, 0
  end
  return u, p
end

-- The instant after a charge.
local function bucket_charge(u, p, charge_u, charge_p)
  u, p = u + charge_u, p + charge_p
  if p >= PARTS then
    return u - 1, p - PARTS
  end
  return u, p
end

-- Whether the instant is at most so far ahead.
local function bucket_within(u, p, now, most_u, most_p)
  local ahead = u - now
  return ahead < most_u or ahead == most_u and p >= most_p
end

local function bucket_write(key, u, p, now, pad)
  local value = u
  if p > 0 then
    value = string.format('%.0f-%.0f', u, p)
  end
  call('SET', key, value, 'PX', lifetime(u, now, pad))
end

-- Gives back what a charge took, never beyond a fresh key.
local function bucket_refund(key, u, p, now, pad, back_u, back_p)
  u, p = u - back_u, p - back_p
  if p < 0 then
    u, p = u + 1, p + PARTS
  end
  if u <= now then
    call('DEL', key)
  else
    bucket_write(key, u, p, now, pad)
  end
end

-- Any operation. KEYS: the key. ARGV: operation, clock, the cost's time (u, p), how far ahead at
-- most (u, p), and, if that matters, how far ahead at most before the charge.
local function bucket_run()
  local op, key = ARGV[1], KEYS[1]
  local now, pad = time(ARGV[2])
  local raw = call('GET', key)
  local u, p = bucket_read(raw, now)
  if not u then
    return foreign()
  end
  local allowed = true
  if op == 'refund' then
    if raw then
      bucket_refund(key, u, p, now, pad, ARGV[3] + 0, ARGV[4] + 0)
    end
  elseif op ~= 'peek' then
    local in_time = not ARGV[7] or u - now <= ARGV[7] + 0
    u, p = bucket_charge(u, p, ARGV[3] + 0, ARGV[4] + 0)
    allowed = bucket_within(u, p, now, ARGV[5] + 0, ARGV[6] + 0) and in_time
    if allowed then
      bucket_write(key, u, p, now, pad)
    end
  end
  return answer(op, allowed, now, raw)
end
