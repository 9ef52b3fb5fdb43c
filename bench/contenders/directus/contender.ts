import type { Contender } from '../../contender.js'
import { loadNormalised } from '../normalised/load.js'
import { answerOf } from './answers.js'
import { accountIds, deferPositions, install } from './preparation.js'
import { startDirectus } from './program.js'
import { requestOf } from './requests.js'

/**
 * Its own cache of answers is off, as it is by default. With it, kept in memory and emptied by each write, answers are
 * those of the process alone: another process does not hear of a write.
 */
export function directus({ cache }: { cache: boolean }): Contender {
  let ids = new Map<string, number>()
  return {
    name: cache ? 'Directus with its cache' : 'Directus',
    async prepare(place, accounts) {
      await loadNormalised(place)
      await install(place, accounts)
      ids = await accountIds(place)
    },
    async start(place) {
      await deferPositions(place)
      return startDirectus(
        place,
        cache ? { CACHE_ENABLED: 'true', CACHE_STORE: 'memory', CACHE_AUTO_PURGE: 'true' } : {},
      )
    },
    request(wish) {
      const account_id = ids.get(wish.account.slug)
      return account_id === undefined ? undefined : requestOf(wish, account_id)
    },
    answerOf,
  }
}

export const contender = directus({ cache: false })
