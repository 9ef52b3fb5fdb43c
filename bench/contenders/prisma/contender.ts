import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Contender } from '../../contender.js'
import { sameRequest, startServer } from '../http/start.js'

export const contender: Contender = {
  name: 'Prisma',
  prepare: generateClient,
  start: (place) => startServer(new URL('server.ts', import.meta.url), place),
  request: sameRequest,
  answerOf: (_wish, body) => body,
}

/** Prisma's client is code that it writes for a schema; it is not checked in. */
async function generateClient(): Promise<void> {
  const [made, wanted] = await Promise.all(
    ['generated/client.ts', 'schema.prisma'].map((name) => stat(new URL(name, import.meta.url)).catch(() => undefined)),
  )
  if (made && wanted && made.mtimeMs > wanted.mtimeMs) return
  await promisify(execFile)('npm', ['run', '--silent', 'generate'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
  })
}
