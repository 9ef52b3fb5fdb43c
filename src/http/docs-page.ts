import fastify, { type FastifyInstance } from 'fastify'
import type { OpenApiDocument } from '../contract/openapi.js'
import { Refusal } from '../contract/refusals.js'
import { escapeHtml } from './page.js'
import { sendProblem } from './problems.js'
import { pageHeaders } from './security-headers.js'

// The reference writes its styles into the page. What is tried out there is asked of this service alone.
const headers = pageHeaders({
  'script-src': "'self'",
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data: blob:",
  'font-src': "'self' data:",
  'connect-src': "'self'",
  'form-action': "'none'",
})

export type Reference = { at: string; descriptionAt: string; describe(): OpenApiDocument }

/** The description of an interface, and a page to read it, which needs nothing from anywhere but this service. */
export function registerDocs(app: FastifyInstance, { at, descriptionAt, describe }: Reference): void {
  // Made and loaded when somebody reads it, not whenever the service starts: the page is four megabytes of script.
  let json: string | undefined
  app.get(descriptionAt, async (_request, reply) => {
    json ??= JSON.stringify(describe())
    return reply.type('application/json; charset=utf-8').send(json)
  })

  let html: string | undefined
  app.get(`${at}/`, async (_request, reply) => {
    html ??= referenceHtml(describe().info.title)
    return reply.headers(headers).type('text/html; charset=utf-8').send(html)
  })
  app.get(`${at}/js/start.js`, async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(startScript(at, descriptionAt)),
  )

  let page: Promise<FastifyInstance> | undefined
  for (const url of [at, `${at}/*`]) {
    app.get(url, async (request, reply) => {
      page ??= packagedReference(at, descriptionAt).catch((error: unknown) => {
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

/** What the package brings: its script, and the way from `/docs` to `/docs/`. The page that starts it is ours. */
async function packagedReference(at: string, descriptionAt: string): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const page = fastify()
  page.setNotFoundHandler((_request, reply) =>
    sendProblem(reply, String(reply.raw.getHeader('x-request-id')), new Refusal('path_not_found')),
  )
  await page.register(scalar, { routePrefix: at as '/docs', configuration: { url: descriptionAt } })
  await page.ready()
  return page
}

function referenceHtml(title: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
</head>
<body>
<div id="app"></div>
<script src="js/scalar.js"></script>
<script src="js/start.js"></script>
</body>
</html>
`
}

/**
 * The portal may have left a key for this page, in what the browser keeps for this tab alone: never in an address, which
 * is logged. It is taken out at once, and stays in the memory of the page.
 */
function startScript(at: string, descriptionAt: string): string {
  const configuration = {
    url: descriptionAt,
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    mcp: { disabled: true },
    agent: { disabled: true },
  }
  return `const place = ${JSON.stringify(`waybill-key ${at}`)}
const key = sessionStorage.getItem(place)
sessionStorage.removeItem(place)
const authentication = key ? { preferredSecurityScheme: 'key', securitySchemes: { key: { token: key } } } : undefined
Scalar.createApiReference('#app', { ...${JSON.stringify(configuration)}, ...(authentication && { authentication }) })
`
}
