import type { FastifyInstance } from 'fastify'
import { escapeHtml } from '../../contract/html.js'
import { Refusal } from '../../contract/refusals.js'
import type { Service } from '../service.js'
import { trustedBaseUrl } from '../transport/client-address.js'
import { isLocal } from '../transport/loopback.js'
import { pageHeaders } from '../transport/security-headers.js'
import { builtFiles, builtFolder, sendBuiltFile } from './built-files.js'

// Text and one stylesheet; no scripts.
const headers = pageHeaders({ 'style-src': "'self'", 'form-action': "'none'" })

const files = builtFiles(builtFolder('guides'))

type Guides = { at: string; site: 'customers' | 'operators' }
type Serving = Pick<Service, 'publicUrl' | 'demoKeys'>

/** Pages that scripts/guides.ts rendered from docs/. Their programs have the address of this service, and in the sandbox its key. */
export function registerGuides(app: FastifyInstance, { at, site }: Guides, { publicUrl, demoKeys }: Serving): void {
  app.get(at.slice(0, -1), async (_request, reply) => reply.redirect(at, 301))
  app.get(`${at}guides.css`, { compress: false }, async (request, reply) => {
    const style = await files.find(`${site}/guides.css`)
    if (!style) throw new Refusal('path_not_found')
    return sendBuiltFile(request, reply.header('cache-control', 'no-cache'), style)
  })
  for (const path of [at, `${at}:name`]) {
    app.get<{ Params: { name?: string } }>(path, async (request, reply) => {
      const page = await files.find(`${site}/${request.params.name ?? 'index'}.html`)
      if (!page) throw new Refusal('path_not_found')
      const { raw } = request
      const key = isLocal(raw) ? demoKeys?.[site] : undefined
      const html = page
        .bytesIn(undefined)
        .toString()
        .replaceAll('http://127.0.0.1:4010', () => escapeHtml(trustedBaseUrl(raw, publicUrl)))
        .replaceAll('_KEY:-}', () => `_KEY:-${key ?? ''}}`)
      return reply
        .headers({ ...headers, 'cache-control': 'no-store' })
        .type('text/html; charset=utf-8')
        .send(html)
    })
  }
}
