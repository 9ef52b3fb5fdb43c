import { systemTime } from '../clock/clock.js'

const ranks = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60, silent: Number.POSITIVE_INFINITY }

export type Log = (level: 'info' | 'warn', message: string) => void

/** Writes log lines in the format of the service, for code without a Fastify logger. */
export function logFrom(minLevel: string): Log {
  return (level, message) => {
    if (ranks[level] < ranks[minLevel as keyof typeof ranks]) return
    process.stdout.write(`${JSON.stringify({ level: ranks[level], time: systemTime(), msg: message })}\n`)
  }
}
