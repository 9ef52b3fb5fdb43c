import type { BenchServer } from '../../bench-server.js'
import { requestOf } from '../../queries.js'
import { startServer } from '../http/start.js'

export const server: BenchServer = {
  name: 'Kysely',
  async prepare() {},
  start: (place) => startServer(new URL('server.ts', import.meta.url), place),
  request: requestOf,
}
