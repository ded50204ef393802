-- Sliding window: counts of equal segments of time, the oldest by the part that the window covers.
-- KEYS: the key. ARGV: operation, clock, cost, limit, segment's length, segments.
local op, key, cost = ARGV[1], KEYS[1], ARGV[3] + 0
local segment, n = ARGV[5] + 0, ARGV[6] + 0
local now, pad = time(ARGV[2])
local raw = call('GET', key)
local number, full, counts = sliding_at(raw, now, segment, n)
if not number then
  return foreign()
end
local allowed = true
if op == 'refund' then
  if raw then
    sliding_refund(key, number, counts, now, pad, segment, n, cost)
  end
elseif op ~= 'peek' then
  allowed = sliding_fits(number, full, counts, now, segment, n, cost, ARGV[4] + 0)
  if allowed then
    sliding_charge(key, number, full, counts, now, pad, segment, n, cost)
  end
end
return answer(op, allowed, now, raw)
