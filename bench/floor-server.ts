import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BenchServer } from './bench-server.js'
import { freePort, startProgram } from './processes.js'
import { type HttpRequest, type Query, requestOf } from './queries.js'

/** A request to the floor: it checks no keys, so the path names the account. */
export function floorRequest(query: Query): HttpRequest {
  const request = requestOf(query)
  return { ...request, path: `/${query.account.slug}${request.path}` }
}

/** A response that the floor fetches from Waybill when it starts: `path` with `key`, served at `servedAt`. */
export type FloorResponse = { path: string; servedAt: string; key: string }

/** Serves from memory the responses that Waybill, at the address, gives to these queries. */
export function floorServer(waybillUrl: string, queries: Query[], listFile: string): BenchServer {
  return {
    name: 'floor',
    async prepare() {
      const responses = new Map<string, FloorResponse>()
      for (const query of queries) {
        const { method, path } = floorRequest(query)
        if (method !== 'GET') continue
        responses.set(path, { path: requestOf(query).path, servedAt: path, key: query.account.key })
      }
      await writeFile(listFile, JSON.stringify([...responses.values()]))
    },
    async start() {
      const port = await freePort()
      return startProgram({
        name: 'the floor',
        command: [process.execPath, '--import', 'tsx', join(import.meta.dirname, 'floor-program.ts')],
        environment: { PORT: String(port), WAYBILL_URL: waybillUrl, FLOOR_RESPONSES: listFile },
        port,
        readyPath: '/ready',
        timeout: 180_000,
      })
    },
    request: floorRequest,
  }
}
