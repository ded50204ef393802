-- Counts of segments, which are numbered from the clock's zero: after two letters the newest
-- segment's number, the sum of the counts that weigh in full while it is the current one, and the
-- counts, newest first, of as many segments as there are in a window and one more. Trailing ones
-- that are 0 may be missing.
local COUNTS = 14 -- bytes before the counts

local function sliding_count(raw, i)
  local at = COUNTS + 4 * i
  if #raw < at + 4 then
    return 0
  end
  return (struct.unpack('>I4', raw, at + 1))
end

-- The number of the newest segment and what weighs in full with it; nil if the value is not ours.
local function sliding_read(raw, n)
  local length = #raw - COUNTS
  if length < 4 or length % 4 ~= 0 or length > 4 * (n + 1) or string.sub(raw, 1, 2) ~= 'sw' then
    return nil
  end
  return struct.unpack('>I6I6', raw, 3)
end

-- The same state with a newer segment, without counts of its own, in front.
local function sliding_advance(raw, newest, full, number, n)
  local by = number - newest
  if by > n then
    return '', 0
  end
  for i = n - by, n - 1 do
    full = full - sliding_count(raw, i)
  end
  local kept = string.sub(raw, COUNTS + 1, COUNTS + 4 * (n + 1 - by))
  return string.rep('\0', 4 * by) .. kept, full
end

-- Whether a * b <= c * d, exactly: b and d below 2^45, a and c below 2^39.
local function sliding_at_most(a, b, c, d)
  local left, right = a * b, c * d
  if left < 9007199254740992 and right < 9007199254740992 then
    return left <= right
  end
  local function limbs(x, y)
    local low = x * (y % 8192)
    local mid = x * (math.floor(y / 8192) % 8192) + math.floor(low / 8192)
    local high = x * math.floor(y / 67108864) + math.floor(mid / 8192)
    return high, mid % 8192, low % 8192
  end
  local a1, a2, a3 = limbs(a, b)
  local c1, c2, c3 = limbs(c, d)
  if a1 ~= c1 then
    return a1 < c1
  end
  if a2 ~= c2 then
    return a2 < c2
  end
  return a3 <= c3
end

-- The state at now, without what is over: number of the current segment, what weighs in full, and
-- the counts as they are kept. nil if the value is not ours.
local function sliding_at(raw, now, segment, n)
  local number = math.floor(now / segment)
  if not raw then
    return number, 0, ''
  end
  local newest, full = sliding_read(raw, n)
  if not newest then
    return nil
  end
  if newest >= number then
    return newest, full, string.sub(raw, COUNTS + 1)
  end
  local counts
  counts, full = sliding_advance(raw, newest, full, number, n)
  return number, full, counts
end

-- Whether a cost fits at now, or at the start of the current segment if the clock is behind it.
local function sliding_fits(number, full, counts, now, segment, n, cost, limit)
  local room = limit - full - cost
  if room < 0 then
    return false
  end
  if #counts <= 4 * n then
    return true
  end
  local passed = math.max(now - number * segment, 0)
  return sliding_at_most(struct.unpack('>I4', counts, 4 * n + 1), segment - passed, room, segment)
end

local function sliding_write(key, number, full, counts, now, pad, segment, n)
  local value = struct.pack('>c2I6I6', 'sw', number, full) .. counts
  call('SET', key, value, 'PX', lifetime((number + n + 1) * segment, now, pad))
end

local function sliding_charge(key, number, full, counts, now, pad, segment, n, cost)
  local newest = cost
  if counts ~= '' then
    newest = newest + struct.unpack('>I4', counts)
  end
  counts = struct.pack('>I4', newest) .. string.sub(counts, 5)
  sliding_write(key, number, full + cost, counts, now, pad, segment, n)
end

-- Gives back from the newest segments first.
local function sliding_refund(key, number, counts, now, pad, segment, n, cost)
  local left, full = {}, 0
  for i = 0, #counts / 4 - 1 do
    local count = struct.unpack('>I4', counts, 4 * i + 1)
    local back = math.min(count, cost)
    cost = cost - back
    if count > back or #left > 0 then
      left[#left + 1] = count - back
    else
      number = number - 1
    end
  end
  if #left == 0 then
    call('DEL', key)
    return
  end
  for i, count in ipairs(left) do
    if i <= n then
      full = full + count
    end
    left[i] = struct.pack('>I4', count)
  end
  sliding_write(key, number, full, table.concat(left), now, pad, segment, n)
end
