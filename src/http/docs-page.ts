import fastify, { type FastifyInstance } from 'fastify'
import type { OpenApiDocument } from '../contract/openapi.js'
import { Refusal } from '../contract/refusals.js'
import { sendProblem } from './problems.js'

/** `GET /openapi.json` and `GET /docs`, which needs nothing from anywhere but this service. */
export function registerDocs(app: FastifyInstance, description: OpenApiDocument): void {
  const json = JSON.stringify(description)
  app.get('/openapi.json', async (_request, reply) => reply.type('application/json; charset=utf-8').send(json))
  app.get('/', async (_request, reply) => reply.redirect('/docs/', 302))

  // The page is four megabytes of script: loaded when somebody reads it, not whenever the service starts.
  let page: Promise<FastifyInstance> | undefined
  for (const url of ['/docs', '/docs/*']) {
    app.get(url, async (request, reply) => {
      page ??= referencePage().catch((error: unknown) => {
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

async function referencePage(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const page = fastify()
  page.setNotFoundHandler((_request, reply) =>
    sendProblem(reply, String(reply.raw.getHeader('x-request-id')), new Refusal('path_not_found')),
  )
  await page.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Waybill API reference',
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
