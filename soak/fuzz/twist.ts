import type { Random } from '../../src/sandbox/random.js'
import type { Request } from './request.js'
import type { Known, World } from './world.js'

/** Bends a request in one place. Undefined where there is nothing to bend. */
export type Twist = (request: Request, given: Given) => Request | undefined

export type Given = {
  random: Random
  world: World
  /** What another account has: of no use to anybody else. */
  foreign: Known[]
}

export function withKind(request: Request, kind: string, changes: Partial<Request>): Request {
  return { ...request, ...changes, kinds: [...request.kinds, kind] }
}
