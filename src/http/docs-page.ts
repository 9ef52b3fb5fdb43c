import fastify, { type FastifyInstance } from 'fastify'
import type { OpenApiDocument } from '../contract/openapi.js'
import { Refusal } from '../contract/refusals.js'
import { sendProblem } from './problems.js'

export type Reference = { at: string; descriptionAt: string; describe(): OpenApiDocument }

/** The description of an interface, and a page to read it, which needs nothing from anywhere but this service. */
export function registerDocs(app: FastifyInstance, { at, descriptionAt, describe }: Reference): void {
  // Made and loaded when somebody reads it, not whenever the service starts: the page is four megabytes of script.
  let json: string | undefined
  app.get(descriptionAt, async (_request, reply) => {
    json ??= JSON.stringify(describe())
    return reply.type('application/json; charset=utf-8').send(json)
  })

  let page: Promise<FastifyInstance> | undefined
  for (const url of [at, `${at}/*`]) {
    app.get(url, async (request, reply) => {
      page ??= referencePage(at, descriptionAt, describe()).catch((error: unknown) => {
        page = undefined
        throw error
      })
      const { routing } = await page
      reply.raw.setHeader('x-request-id', request.id)
      reply.hijack()
      routing(request.raw, reply.raw)
    })
  }
}

async function referencePage(at: string, descriptionAt: string, { info }: OpenApiDocument): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const page = fastify()
  page.setNotFoundHandler((_request, reply) =>
    sendProblem(reply, String(reply.raw.getHeader('x-request-id')), new Refusal('path_not_found')),
  )
  await page.register(scalar, {
    routePrefix: at as '/docs',
    configuration: {
      url: descriptionAt,
      pageTitle: info.title,
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      mcp: { disabled: true },
      agent: { disabled: true },
    },
  })
  await page.ready()
  return page
}
