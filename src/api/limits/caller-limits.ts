import type { Socket } from 'node:net'
import type { Quotas } from '../../contract/operator/quotas.js'
import { Refusal } from '../../contract/refusals.js'
import { limitOf } from '../../domain/accounts/quotas.js'
import type { Principal } from '../../store/keys.js'
import { counter } from './counter.js'
import { rateLimitHeaders, sharedRateLimiter } from './rate-limit.js'
import type { WorkerChannel } from './worker-channel.js'

/** Limits of a key or person, and the quotas of its account. */
export type CallerLimits = {
  /** Counts a request, and returns the headers of the tighter limit. Refuses it if the minute is used up. */
  count(caller: Principal): Record<string, string>
  hasCapacity(caller: Principal): boolean
  /** Counts a request in progress and its connection, or refuses it. The returned function ends the request. */
  begin(caller: Principal, socket: Socket): () => void
}

type Options = { rateLimit: number | undefined; quotas?: Quotas; workerChannel?: WorkerChannel }

// A client without connection reuse needs one per concurrent request; each open one takes memory and a file descriptor.
const mostConnections = { ofCaller: 200, ofAccount: 1000 }

export function callerLimits({ rateLimit, quotas = {}, workerChannel }: Options): CallerLimits {
  const keys = sharedRateLimiter(workerChannel, 'keys')
  const accounts = sharedRateLimiter(workerChannel, 'accounts')
  const running = counter<number>()
  const connections = connectionOwners()

  const accountLimit = (caller: Principal) => limitOf('requests_per_minute', caller.quotas, quotas)

  return {
    count(caller) {
      const ofKey = rateLimit === undefined ? undefined : keys.count(caller.key_id, rateLimit)
      const keyHeaders = ofKey && rateLimitHeaders(ofKey, 'minute')
      const limit = accountLimit(caller)
      if (limit === undefined) return keyHeaders ?? {}
      const ofAccount = accounts.count(String(caller.account_id), limit)
      const isTighter = !ofKey || ofAccount.remaining < ofKey.remaining
      return keyHeaders && !isTighter ? keyHeaders : rateLimitHeaders(ofAccount, 'account')
    },
    hasCapacity(caller) {
      const limit = accountLimit(caller)
      const hasKeyCapacity = rateLimit === undefined || keys.hasCapacity(caller.key_id, rateLimit)
      return hasKeyCapacity && (limit === undefined || accounts.hasCapacity(String(caller.account_id), limit))
    },
    begin(caller, socket) {
      connections.take(caller, socket)
      const limit = limitOf('concurrent_requests', caller.quotas, quotas)
      if (limit === undefined) return () => {}
      const { account_id } = caller
      if (running.of(account_id) >= limit) {
        const detail = `The account has ${limit} requests in progress, which is its limit.`
        throw new Refusal('too_many_concurrent_requests', detail, { headers: { 'retry-after': '1' } })
      }
      running.add(account_id, 1)
      return () => running.add(account_id, -1)
    },
  }
}

/** Open connections belong to the key or person of their last request: a proxy uses one for many. */
function connectionOwners() {
  const callers = counter<string>()
  const accounts = counter<number>()
  const ownerOf = new WeakMap<Socket, { caller: string; account: number }>()

  function release(socket: Socket): void {
    const owner = ownerOf.get(socket)
    if (!owner) return
    ownerOf.delete(socket)
    callers.add(owner.caller, -1)
    accounts.add(owner.account, -1)
  }

  return {
    take({ key_id, account_id }: Principal, socket: Socket): void {
      const owner = ownerOf.get(socket)
      if (owner?.caller === key_id || socket.destroyed) return
      if (callers.of(key_id) >= mostConnections.ofCaller || accounts.of(account_id) >= mostConnections.ofAccount) {
        throw new Refusal('too_many_connections', undefined, { headers: { connection: 'close', 'retry-after': '1' } })
      }
      if (owner) release(socket)
      else socket.once('close', () => release(socket))
      ownerOf.set(socket, { caller: key_id, account: account_id })
      callers.add(key_id, 1)
      accounts.add(account_id, 1)
    },
  }
}
