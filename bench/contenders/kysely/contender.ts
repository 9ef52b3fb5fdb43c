import type { Contender } from '../../contender.js'
import { sameRequest, startServer } from '../http/start.js'

export const contender: Contender = {
  name: 'Kysely',
  async prepare() {},
  start: (place) => startServer(new URL('server.ts', import.meta.url), place),
  request: sameRequest,
  answerOf: (_wish, body) => body,
}
