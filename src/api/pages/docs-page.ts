import type { FastifyInstance } from 'fastify'
import { escapeHtml } from '../../contract/html.js'
import type { OpenApiDocument } from '../../contract/openapi.js'
import { Refusal } from '../../contract/refusals.js'
import { isLocal } from '../transport/loopback.js'
import { pageHeaders } from '../transport/security-headers.js'
import { builtFiles, builtFolder, sendBuiltFile } from './built-files.js'

// Scalar uses inline styles. Its test requests go to this service only.
const headers = pageHeaders({
  'script-src': "'self'",
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data: blob:",
  'font-src': "'self' data:",
  'connect-src': "'self'",
  'form-action': "'none'",
})

// Scalar's script (3.5 MB), shared by all references.
const files = builtFiles(builtFolder('reference'))

export type Reference = { at: string; descriptionAt: string; describe(): OpenApiDocument }

/**
 * The OpenAPI document of an interface, and a reference page that loads nothing from other hosts. In the sandbox it uses
 * the demo key, for requests from this machine only.
 */
export function registerDocs(app: FastifyInstance, { at, descriptionAt, describe }: Reference, demoKey?: string): void {
  // Built on the first request, to keep the start fast.
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
  app.get(`${at}/js/start.js`, async ({ raw }, reply) =>
    reply
      .header('cache-control', 'no-store')
      .type('text/javascript; charset=utf-8')
      .send(startScript(at, descriptionAt, isLocal(raw) ? demoKey : undefined)),
  )

  app.get(`${at}/js/scalar.js`, { compress: false }, async (request, reply) => {
    const script = await files.find('scalar.js')
    if (!script) throw new Refusal('path_not_found')
    return sendBuiltFile(request, reply.header('cache-control', 'no-cache'), script)
  })
  // The page refers to its scripts by relative URLs.
  app.get(at, async (_request, reply) => reply.redirect(`${at}/`, 301))
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
 * The portal may pass a key to this page in sessionStorage: never in a URL, which is logged. The page removes it immediately
 * and keeps it in memory.
 */
function startScript(at: string, descriptionAt: string, demoKey: string | undefined): string {
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
const key = sessionStorage.getItem(place)${demoKey === undefined ? '' : ` ?? ${JSON.stringify(demoKey)}`}
sessionStorage.removeItem(place)
const authentication = key ? { preferredSecurityScheme: 'key', securitySchemes: { key: { token: key } } } : undefined
Scalar.createApiReference('#app', { ...${JSON.stringify(configuration)}, ...(authentication && { authentication }) })
`
}
