-- Microseconds are whole numbers below 2^53, which a Lua number holds exactly.
local call = redis.call

-- The server's time; or that of a clock for tests, while real time stands still: then keys live a
-- minute longer.
local function time(given)
  if given ~= '' then
    return given + 0, 60000
  end
  local t = call('TIME')
  return t[1] * 1000000 + t[2], 0
end

-- Milliseconds from `now` to `moment`, rounded up.
local function lifetime(moment, now, pad)
  return math.floor((moment - now + 999) / 1000) + pad
end

local function foreign()
  return redis.error_reply('FOREIGN the key holds something else')
end

-- What the caller gets: whether it was allowed, and but for `allow` the time and what the key held.
local function answer(op, allowed, now, raw)
  local bit = allowed and 1 or 0
  if op == 'allow' then
    return bit
  end
  return { bit, now, raw }
end
