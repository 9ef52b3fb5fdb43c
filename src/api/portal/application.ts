import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { linkedPages, officePages, portalPages } from '../../contract/portal/pages.js'
import { Refusal } from '../../contract/refusals.js'
import { type BuiltFile, builtFiles, builtFolder, NotBuilt, sendBuiltFile } from '../pages/built-files.js'
import { routeOf } from '../transport/input.js'
import { page, plainPageHeaders } from '../transport/page.js'
import { pageHeaders } from '../transport/security-headers.js'

/** Serves the portal and the office: each has one page for all of its paths, and assets of its own. */

// Scripts and all other resources come from this origin only. frame-src is for the document previews.
const headers = pageHeaders({
  'default-src': "'self'",
  'script-src': "'self'",
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data: blob:",
  'worker-src': "'self' blob:",
  'connect-src': "'self'",
  'frame-src': "'self'",
  'font-src': "'self'",
  'form-action': "'self'",
})

// Asset names contain a content hash. A worker script follows the policy of its own response.
const assetHeaders = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': headers['content-security-policy'],
}

export type Application = {
  /** Adds the routes of the pages and assets. */
  register(app: FastifyInstance): void
  /** Sends the page with status 404. */
  sendNotFound(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
}

export const portalApplication = (folder = builtFolder('portal')) => application(folder, portalPages, '/assets/:name')

/** Its assets are served where operators are, and nowhere else. */
export const officeApplication = (folder = builtFolder('office')) =>
  application(folder, officePages, '/office/assets/:name')

function application(folder: URL, pages: readonly string[], assetRoute: string): Application {
  const files = builtFiles(folder)

  async function sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const isLinked = linkedPages.includes(request.routeOptions.url ?? '')
    try {
      const file = await files.find('index.html')
      if (!file) throw new NotBuilt('index.html is not in the list')
      return await sendBuiltFile(
        request,
        reply.headers({
          ...headers,
          ...(isLinked && { 'referrer-policy': 'no-referrer' }),
          'cache-control': 'no-cache',
          'x-robots-tag': 'noindex',
        }),
        file,
      )
    } catch (error) {
      if (!(error instanceof NotBuilt)) throw error
      request.log.error({ err: error }, error.message)
      return reply.code(503).headers(plainPageHeaders).type('text/html; charset=utf-8').send(notBuilt)
    }
  }

  // Without a build, assets are not found.
  async function findAsset({ log }: FastifyRequest, path: string): Promise<BuiltFile | undefined> {
    try {
      return await files.find(path)
    } catch (error) {
      if (!(error instanceof NotBuilt)) throw error
      log.error({ err: error }, error.message)
      return undefined
    }
  }

  return {
    register(app) {
      // The files are already compressed.
      for (const path of pages) app.get(routeOf({ path }), { compress: false }, sendPage)
      app.get<{ Params: { name: string } }>(assetRoute, { compress: false }, async (request, reply) => {
        const file = await findAsset(request, `assets/${request.params.name}`)
        if (!file) throw new Refusal('path_not_found')
        return sendBuiltFile(request, reply.headers(assetHeaders), file)
      })
    },
    sendNotFound: (request, reply) => sendPage(request, reply.code(404)),
  }
}

const notBuilt = page(
  'The portal is not built',
  '<h1>The portal is not built</h1><p>Run <code>npm run build</code>. The interface works without it: see the <a href="/docs/">API reference</a>.</p>',
)
