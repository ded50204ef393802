-- Token bucket: the instant is when the bucket is full again.
-- KEYS: the key. ARGV: operation, clock, the cost's time (u, p), how far ahead at most (u, p).
local op, key = ARGV[1], KEYS[1]
local now, pad = time(ARGV[2])
local raw = call('GET', key)
local u, p = bucket_read(raw, now)
if not u then
  return foreign()
end
local allowed = 1
if op == 'refund' then
  if raw then
    bucket_refund(key, u, p, now, pad, ARGV[3] + 0, ARGV[4] + 0)
  end
elseif op ~= 'peek' then
  u, p = bucket_charge(u, p, ARGV[3] + 0, ARGV[4] + 0)
  if bucket_within(u, p, now, ARGV[5] + 0, ARGV[6] + 0) then
    bucket_write(key, u, p, now, pad)
  else
    allowed = 0
  end
end
if op == 'allow' then
  return allowed
end
return { allowed, now, raw }
