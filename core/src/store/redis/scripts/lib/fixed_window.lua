-- A window that is open, kept as `END COUNT`.

-- Its end and count, both nil if none is open; false if the value is not one.
local function fixed_read(raw, now)
  if not raw then
    return nil, 0
  end
  local ends, count = string.match(raw, '^(%d+) (%d+)$')
  if not ends then
    return false
  end
  ends, count = ends + 0, count + 0
  if ends > 9007199254740992 or count > 4294967295 then
    return false
  end
  if ends <= now then
    return nil, 0
  end
  return ends, count
end

local function fixed_write(key, ends, count, now, pad)
  call('SET', key, string.format('%.0f %.0f', ends, count), 'PX', lifetime(ends, now, pad))
end
