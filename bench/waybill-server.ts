import type { BenchServer } from './bench-server.js'
import { urlOf } from './database-server.js'
import { freePort, startProgram } from './processes.js'
import { requestOf } from './queries.js'
import { program } from './waybill-program.js'

type WaybillOptions = {
  cache: boolean
  workers?: number
  nodeFlags?: string[]
  /** Settings that a measurement needs. */
  environment?: Record<string, string>
}

/** The built program as users run it, with its log; only the rate limit is off. */
export function waybillServer({ cache, workers = 1, nodeFlags = [], environment = {} }: WaybillOptions): BenchServer {
  return {
    name: workers === 1 ? 'Waybill' : `Waybill, ${workers} processes`,
    async prepare() {},
    async start(place) {
      const port = await freePort()
      const workerFlags = workers > 1 ? ['--workers', String(workers)] : []
      return startProgram({
        name: 'Waybill',
        command: [process.execPath, ...nodeFlags, program, 'serve', ...workerFlags],
        environment: {
          PORT: String(port),
          HOST: '127.0.0.1',
          DATABASE_URL: urlOf(place),
          WAYBILL_RATE_LIMIT: '0',
          ...(!cache && { WAYBILL_RESPONSE_CACHE: '0' }),
          ...environment,
        },
        port,
        readyPath: '/health/ready',
      })
    },
    request: requestOf,
  }
}
