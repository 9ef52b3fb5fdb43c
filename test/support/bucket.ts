import { mkdtemp, readdir, rm } from 'node:fs/promises'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import { afterAll } from 'vitest'
import type { BucketAddress } from '../../src/documents/document-bucket.js'

type Traffic = {
  /** Method and address of every request. */
  seen: string[]
  /** Responds instead of the service; returns false to pass the request on. */
  interfere: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined
}

/** A real S3 service with one bucket and one key, for the tests of one file. It verifies signatures. */
export async function startBucket() {
  const directory = await mkdtemp(join(tmpdir(), 'waybill-bucket-'))
  const bucket = 'papers'
  const traffic: Traffic = { seen: [], interfere: undefined }
  let server = await startServer(directory, bucket, 0, traffic)
  const { port } = server
  afterAll(async () => {
    await server.stop()
    await rm(directory, { recursive: true, force: true })
  })

  const address: BucketAddress = {
    origin: `http://127.0.0.1:${port}`,
    bucket,
    prefix: '',
    region: 'eu-west-1',
    accessKey: 'S3RVER',
    secret: 'S3RVER',
  }
  return {
    address,
    url: `s3://S3RVER:S3RVER@127.0.0.1:${port}/${bucket}?tls=off`,
    /** The names of all objects. */
    async objects(): Promise<string[]> {
      const files = await readdir(join(directory, bucket), { recursive: true })
      const suffix = '._S3rver_object'
      return files
        .filter((file) => file.endsWith(suffix))
        .map((file) => file.slice(0, -suffix.length))
        .toSorted()
    },
    /** Multipart uploads that were neither completed nor aborted. */
    uploads: () => readdir(uploadsIn(directory, bucket)).catch(() => []),
    pathOf: (key: string) => join(directory, bucket, `${key}._S3rver_object`),
    traffic,
    stop: () => server.stop(),
    async startAgain(): Promise<void> {
      server = await startServer(directory, bucket, port, traffic)
    },
  }
}

function uploadsIn(directory: string, bucket: string): string {
  return join(directory, bucket, '._S3rver_uploads')
}

// s3rver supports multipart uploads, but not aborting them.
async function abort(upload: string, response: ServerResponse): Promise<void> {
  await rm(upload, { recursive: true, force: true })
  response.writeHead(204).end()
}

async function startServer(directory: string, bucket: string, wantedPort: number, traffic: Traffic) {
  const server = new S3rver({
    address: '127.0.0.1',
    port: wantedPort,
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: [{ name: bucket }],
  })
  const { port } = await server.run()
  const [handle] = server.httpServer.listeners('request') as [RequestListener]
  server.httpServer.removeAllListeners('request').on('request', (request, response) => {
    traffic.seen.push(`${request.method} ${request.url}`)
    if (traffic.interfere?.(request, response)) return
    const aborted = request.method === 'DELETE' && /[?&]uploadId=(\w+)/.exec(request.url ?? '')?.[1]
    if (aborted) void abort(join(uploadsIn(directory, bucket), aborted), response)
    else handle(request, response)
  })
  let isRunning = true
  return {
    port,
    async stop(): Promise<void> {
      if (!isRunning) return
      isRunning = false
      const closed = server.close()
      server.httpServer.closeAllConnections()
      await closed
    },
  }
}
