import type { FastifyInstance, FastifyRequest } from 'fastify'
import { operationNames, operations } from '../contract/operations.js'
import { Refusal } from '../contract/refusals.js'

/** An unknown path is a 404; a known one with another method is a 405 that tells the methods it has. */
export function registerNotFound(app: FastifyInstance): void {
  const methods = new Map<string, string[]>()
  for (const name of operationNames) {
    const { method, path } = operations[name]
    methods.set(path, [...(methods.get(path) ?? []), ...(method === 'GET' ? ['GET', 'HEAD'] : [method])])
  }
  const paths = [...methods].map(([path, allowed]) => ({
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    allow: allowed.join(', '),
  }))

  app.setNotFoundHandler(async (request: FastifyRequest) => {
    const path = request.url.split('?', 1)[0] ?? ''
    const known = paths.find(({ pattern }) => pattern.test(path))
    if (!known) throw new Refusal('path_not_found')
    throw new Refusal('method_not_allowed', `Allowed here: ${known.allow}.`, { headers: { allow: known.allow } })
  })
}
