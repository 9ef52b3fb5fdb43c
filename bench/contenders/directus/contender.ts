import { randomBytes } from 'node:crypto'
import type { Contender } from '../../contender.js'
import { answerOf } from './answers.js'
import { accountIds, deferPositions, install } from './preparation.js'
import { startDirectus } from './program.js'
import { register } from './registration.js'
import { requestOf } from './requests.js'

/**
 * Its own cache of answers is off, as it is by default. With it, kept in memory and emptied by each write, answers are
 * those of the process alone: another process does not hear of a write.
 */
export function directus({ cache }: { cache: boolean }): Contender {
  const token = randomBytes(24).toString('hex')
  let ids = new Map<string, number>()
  return {
    name: cache ? 'Directus with its cache' : 'Directus',
    async prepare(place, accounts) {
      await install(place, accounts, token)
      await deferPositions(place)
      ids = await accountIds(place)
    },
    async start(place) {
      const running = await startDirectus(
        place,
        cache ? { CACHE_ENABLED: 'true', CACHE_STORE: 'memory', CACHE_AUTO_PURGE: 'true' } : {},
      )
      try {
        await register(running.url, token)
        return running
      } catch (error) {
        await running.stop()
        throw error
      }
    },
    request(wish) {
      const account_id = ids.get(wish.account.slug)
      return account_id === undefined ? undefined : requestOf(wish, account_id)
    },
    answerOf,
  }
}

export const contender = directus({ cache: false })
