import { destination } from 'pino'
import { systemTime } from '../../clock/clock.js'
import type { Principal } from '../../store/keys.js'

// Lines are buffered for up to this many milliseconds: a system call per line costs more than a cached response.
const flushInterval = 50
// PIPE_BUF on Linux: writes up to this size are atomic, so that lines of several workers do not mix.
const maxWriteBytes = 4096

const output = destination({ dest: 1, sync: true })
let lines = ''
let timer: NodeJS.Timeout | undefined

process.once('exit', flush)

/** Buffered standard output for log lines. */
export const logOutput = {
  write(line: string): void {
    if (lines.length + line.length > maxWriteBytes) flush()
    lines += line
    timer ??= setTimeout(flush, flushInterval).unref()
  },
}

function flush(): void {
  clearTimeout(timer)
  timer = undefined
  if (lines === '') return
  output.write(lines)
  lines = ''
}

export type ResponseLine = {
  requestId: string
  caller: Pick<Principal, 'slug' | 'key_id'>
  method: string
  route: string
  status: number
  milliseconds: number
  isAborted: boolean
}

/** Writes the log line of a response as pino would, at a fifth of its cost. No value needs escaping. */
export function logResponse(line: ResponseLine): void {
  const { requestId, caller, method, route, status, milliseconds, isAborted } = line
  const duration_ms = Math.round(milliseconds * 10) / 10
  logOutput.write(
    `{"level":30,"time":${systemTime()},"request_id":"${requestId}","account":"${caller.slug}",` +
      `"key_id":"${caller.key_id}","method":"${method}","route":"${route}","status":${status},"duration_ms":${duration_ms},"msg":"${isAborted ? 'request aborted' : 'request completed'}"}\n`,
  )
}
