import type { BlockList } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { fairQueue } from '../../jobs/fair-queue.js'
import { clientAddress, networkOf } from '../transport/client-address.js'
import { untilDisconnected } from '../transport/timeouts.js'

/**
 * What visitors may ask for, such as a sign-in, takes several statements and a password hash. A few run at the same time, so
 * that the others' requests find free connections; the addresses of clients take turns.
 */
export type VisitorQueue = <Result>(request: FastifyRequest, work: () => Promise<Result>) => Promise<Result>

// A sign-in takes some 50 ms: the last of 40 from one address waits for 2 s.
const limits = { concurrency: 3, jobsPerOwner: 40, jobs: 400 }

export function visitorQueue(trustedProxies: BlockList): VisitorQueue {
  const queue = fairQueue(limits, 'Too many people are signing in; try again.')
  return (request, work) => {
    const network = networkOf(clientAddress(request.raw, trustedProxies))
    // Those of clients that disconnect while they wait are not done.
    return untilDisconnected(request.raw, (signal) => queue.run(network, work, signal))
  }
}
