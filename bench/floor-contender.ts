import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Contender, HttpRequest, Wish } from './contender.js'
import { interfaceRequest } from './interface.js'
import { freePort, startProgram } from './processes.js'

/** A request to the floor: it knows no keys, so the address tells the account. */
export function floorRequest(wish: Wish): HttpRequest {
  const request = interfaceRequest(wish)
  return { ...request, path: `/${wish.account.slug}${request.path}` }
}

/** What the floor asks Waybill when it starts: the request, and under which address it gives the answer. */
export type FloorAnswer = { path: string; as: string; key: string }

/** The floor answers what Waybill, at the address, answers to these wishes. */
export function floorContender(waybillUrl: string, wishes: Wish[], jobFile: string): Contender {
  return {
    name: 'floor',
    async prepare() {
      const answers = new Map<string, FloorAnswer>()
      for (const wish of wishes) {
        const as = floorRequest(wish)
        if (as.method !== 'GET') continue
        answers.set(as.path, { path: interfaceRequest(wish).path, as: as.path, key: wish.account.key })
      }
      await writeFile(jobFile, JSON.stringify([...answers.values()]))
    },
    async start() {
      const port = await freePort()
      return startProgram({
        name: 'the floor',
        command: [process.execPath, '--import', 'tsx', join(import.meta.dirname, 'floor.ts')],
        environment: { PORT: String(port), WAYBILL_URL: waybillUrl, FLOOR_ANSWERS: jobFile },
        port,
        readyPath: '/ready',
        patience: 180_000,
      })
    },
    request: floorRequest,
    answerOf: (_wish, body) => body,
  }
}
