import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { portalPages } from '../../contract/portal/pages.js'
import { Refusal } from '../../contract/refusals.js'
import { matches } from '../etag.js'
import { routeOf } from '../input.js'
import { page, plainPageHeaders } from '../page.js'
import { pageHeaders } from '../security-headers.js'
import { type BuiltFile, builtFiles, encodingFor, NotBuilt } from './built-files.js'

/** The web application: one page for every address of the portal, and the files that it loads. */

// Beside all the rest of the program, as it is built. Tests run the sources.
const place = import.meta.url.endsWith('.ts') ? '../../../dist/portal/' : '../portal/'
const usualFolder = new URL(place, import.meta.url)

// Nothing runs that is not a file of ours, nothing is loaded from elsewhere, and nobody puts it into a frame. Papers are
// shown in frames: those of ours.
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

// Their names change with their content. A script that is started as a worker goes by its own policy.
const assetHeaders = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': headers['content-security-policy'],
}

export type Application = {
  /** Adds the addresses of the portal. */
  register(app: FastifyInstance): void
  /** Answers a browser that asks for an address which there is not. */
  sendNotFound(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
}

export function portalApplication(folder = usualFolder): Application {
  const files = builtFiles(folder)

  async function send(request: FastifyRequest, reply: FastifyReply, file: BuiltFile): Promise<FastifyReply> {
    const etag = `W/"${file.etag}"`
    reply.header('etag', etag).header('vary', 'accept-encoding')
    if (reply.statusCode === 200 && matches(request.headers['if-none-match'], etag)) return reply.code(304).send()
    const encoding = encodingFor(request.headers['accept-encoding'], file.encodings)
    if (encoding !== undefined) reply.header('content-encoding', encoding)
    return reply.type(file.type).send(file.bytesIn(encoding))
  }

  async function sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    try {
      const file = await files.find('index.html')
      if (!file) throw new NotBuilt('index.html is not in the list')
      return await send(request, reply.headers({ ...headers, 'cache-control': 'no-cache' }), file)
    } catch (error) {
      if (!(error instanceof NotBuilt)) throw error
      request.log.error({ err: error }, error.message)
      return reply.code(503).headers(plainPageHeaders).type('text/html; charset=utf-8').send(notBuilt)
    }
  }

  // Where nothing is built there is no such file.
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
      // The files are compressed already.
      for (const path of portalPages) app.get(routeOf({ path }), { compress: false }, sendPage)
      app.get<{ Params: { name: string } }>('/assets/:name', { compress: false }, async (request, reply) => {
        const file = await findAsset(request, `assets/${request.params.name}`)
        if (!file) throw new Refusal('path_not_found')
        return send(request, reply.headers(assetHeaders), file)
      })
    },
    sendNotFound: (request, reply) => sendPage(request, reply.code(404)),
  }
}

const notBuilt = page(
  'The portal is not built',
  '<h1>The portal is not built</h1><p>Run <code>npm run build</code>. The interface works without it: see the <a href="/docs/">API reference</a>.</p>',
)
