import type { Random } from '../../src/sandbox/random.js'
import type { Request } from './request.js'
import type { Known, World } from './world.js'

/** Changes one part of a request. Undefined if it does not apply. */
export type Mutation = (request: Request, given: Given) => Request | undefined

export type Given = {
  random: Random
  world: World
  /** Identifiers of another account. */
  foreign: Known[]
}

export function withKind(request: Request, kind: string, changes: Partial<Request>): Request {
  return { ...request, ...changes, kinds: [...request.kinds, kind] }
}
