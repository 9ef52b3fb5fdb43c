import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../contract/refusals.js'

/** An unknown path is a 404; a known one with another method is a 405 that tells the methods it has. */
export function registerNotFound(app: FastifyInstance): void {
  const methods = new Map<string, string[]>()
  app.addHook('onRoute', ({ url, method }) => {
    methods.set(url, [...(methods.get(url) ?? []), method].flat())
  })

  // Before the body is read: what nobody asked for is not worth parsing.
  app.addHook('onRequest', async (request: FastifyRequest) => {
    if (!request.is404) return
    const path = request.url.split('?', 1)[0] ?? ''
    const known = [...methods].find(([url]) => patternOf(url).test(path))
    if (!known) throw new Refusal('path_not_found')
    const allow = known[1].join(', ')
    throw new Refusal('method_not_allowed', `Allowed here: ${allow}.`, { headers: { allow } })
  })
}

function patternOf(url: string): RegExp {
  const pattern = url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+').replaceAll('*', '.*')
  return new RegExp(`^${pattern}$`)
}
