-- Sends the requests of a file in turn. The unique marker in a request is replaced by a number that no other sending has.
local requests = {}
local count = 0
local place = 0
local number = 0

local function parts_of(text, marker)
  local parts = {}
  local from = 1
  while true do
    local start, stop = string.find(text, marker, from, true)
    if not start then break end
    parts[#parts + 1] = string.sub(text, from, start - 1)
    from = stop + 1
  end
  if #parts == 0 then return text end
  parts[#parts + 1] = string.sub(text, from)
  return parts
end

function init(args)
  local file = assert(io.open(args[1], 'rb'))
  number = tonumber(args[3])
  place = tonumber(args[4])
  while true do
    local length = file:read('*l')
    if not length then break end
    count = count + 1
    requests[count] = parts_of(file:read(tonumber(length)), args[2])
  end
  file:close()
end

function request()
  place = place % count + 1
  local next = requests[place]
  if type(next) == 'string' then return next end
  number = number + 1
  return table.concat(next, string.format('%012d', number))
end

function done(summary, latency, _)
  local errors = summary.errors
  io.write(string.format(
    'result {"requests":%d,"seconds":%.6f,"p50":%.3f,"p99":%.3f,"failures":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
