import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../contract/refusals.js'

type SendPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/**
 * An unknown path is a 404; a known path with another method is a 405 with an Allow header. Browsers get the
 * not-found page of the site that the path belongs to, if it is served.
 */
export function registerNotFound(app: FastifyInstance, pageFor: (path: string) => SendPage | undefined): void {
  const methods = new Map<string, string[]>()
  app.addHook('onRoute', ({ url, method }) => {
    methods.set(url, [...(methods.get(url) ?? []), method].flat())
  })

  // In onRequest, so that the body is not parsed.
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return undefined
    const path = request.url.split('?', 1)[0] ?? ''
    // A name comes before an identifier in its place.
    const known = methods.get(path) ?? [...methods].find(([url]) => patternOf(url).test(path))?.[1]
    const sendPage = !known && isPageRequest(request, path) ? pageFor(path) : undefined
    if (sendPage) return sendPage(request, reply)
    if (!known) throw new Refusal('path_not_found', findSlashHint(path, [...methods.keys()]))
    const allow = known.join(', ')
    throw new Refusal('method_not_allowed', `Allowed here: ${allow}.`, { headers: { allow } })
  })
}

// Parameters whose values customers and forwarders choose, which may contain slashes.
const chosenIdentifiers = new Set([':reference', ':svc_shipment_id'])

/** A hint for a path that continues after the last parameter of a known path: its value may contain unencoded slashes. */
function findSlashHint(path: string, known: string[]): string | undefined {
  const steps = path.split('/')
  const names = known
    .map((url) => url.split('/'))
    .find(
      (each) =>
        chosenIdentifiers.has(each.at(-1) ?? '') &&
        each.length < steps.length &&
        each.every((name, index) => name.startsWith(':') || name === steps[index]),
    )
  const parameter = names?.at(-1)?.slice(1)
  return parameter && `There is nothing at this path. Encode slashes in \`${parameter}\` as %2F, as in PO%2F2026%2F001.`
}

// Paths of the interfaces always get a problem body.
const interfaces = /^\/(?:v1|ops|portal|feeds|mcp|office\/v1)(?:\/|$)/

function isPageRequest({ method, headers }: FastifyRequest, path: string): boolean {
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead && headers.accept?.includes('text/html') === true && !interfaces.test(path)
}

function patternOf(url: string): RegExp {
  const pattern = url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+').replaceAll('*', '.*')
  return new RegExp(`^${pattern}$`)
}
