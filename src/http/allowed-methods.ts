import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../contract/refusals.js'

type Answer = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/**
 * An unknown path is a 404; a known one with another method is a 405 that tells the methods it has. People who look for a
 * page are shown one, where there is a portal.
 */
export function registerNotFound(app: FastifyInstance, sendPage?: Answer): void {
  const methods = new Map<string, string[]>()
  app.addHook('onRoute', ({ url, method }) => {
    methods.set(url, [...(methods.get(url) ?? []), method].flat())
  })

  // Before the body is read: what nobody asked for is not worth parsing.
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return undefined
    const path = request.url.split('?', 1)[0] ?? ''
    const known = [...methods].find(([url]) => patternOf(url).test(path))
    if (!known && sendPage && isForPeople(request, path)) return sendPage(request, reply)
    if (!known) throw new Refusal('path_not_found')
    const allow = known[1].join(', ')
    throw new Refusal('method_not_allowed', `Allowed here: ${allow}.`, { headers: { allow } })
  })
}

// What lies below an interface is for programs, whatever asks for it.
const interfaces = /^\/(?:v1|ops|portal)(?:\/|$)/

function isForPeople({ method, headers }: FastifyRequest, path: string): boolean {
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead && headers.accept?.includes('text/html') === true && !interfaces.test(path)
}

function patternOf(url: string): RegExp {
  const pattern = url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+').replaceAll('*', '.*')
  return new RegExp(`^${pattern}$`)
}
