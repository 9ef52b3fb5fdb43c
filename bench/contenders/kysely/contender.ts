import type { Contender } from '../../contender.js'
import { sameRequest, startServer } from '../http/start.js'
import { loadNormalised } from '../normalised/load.js'

export const contender: Contender = {
  name: 'Kysely',
  prepare: (place) => loadNormalised(place),
  start: (place) => startServer(new URL('server.ts', import.meta.url), place),
  request: sameRequest,
  answerOf: (_wish, body) => body,
}
