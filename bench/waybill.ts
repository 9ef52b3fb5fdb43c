import { join } from 'node:path'
import type { Contender } from './contender.js'
import { urlOf } from './database-server.js'
import { interfaceRequest } from './interface.js'
import { freePort, startProgram } from './processes.js'

const program = join(import.meta.dirname, '..', 'dist', 'cli', 'main.js')

type How = { caches: boolean; workers?: number; nodeFlags?: string[] }

/** The built program as it is run, with its log; only the rate limit is off. */
export function waybillContender({ caches, workers = 1, nodeFlags = [] }: How): Contender {
  return {
    name: workers === 1 ? 'Waybill' : `Waybill, ${workers} processes`,
    // It runs on the tables that are there.
    async prepare() {},
    async start(place) {
      const port = await freePort()
      return startProgram({
        name: 'Waybill',
        command: [
          process.execPath,
          ...nodeFlags,
          program,
          'serve',
          ...(workers > 1 ? ['--workers', String(workers)] : []),
        ],
        environment: {
          PORT: String(port),
          HOST: '127.0.0.1',
          DATABASE_URL: urlOf(place),
          WAYBILL_RATE_LIMIT: '0',
          ...(!caches && { WAYBILL_ANSWER_MEMORY: '0' }),
        },
        port,
        readyPath: '/health/ready',
      })
    },
    request: interfaceRequest,
    answerOf: (_wish, body) => body,
  }
}
