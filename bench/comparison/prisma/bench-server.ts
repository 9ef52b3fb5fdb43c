import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { BenchServer } from '../../bench-server.js'
import { requestOf } from '../../queries.js'
import { startServer } from '../http/start.js'

export const server: BenchServer = {
  name: 'Prisma',
  prepare: generateClient,
  start: (place) => startServer(new URL('server.ts', import.meta.url), place),
  // It stores no idempotency keys.
  request: (query) => (query.of === 'create order' && query.idempotencyKey ? undefined : requestOf(query)),
}

/** Prisma generates its client from the schema; it is not checked in. */
async function generateClient(): Promise<void> {
  const [generated, schema] = await Promise.all(
    ['generated/client.ts', 'schema.prisma'].map((name) => stat(new URL(name, import.meta.url)).catch(() => undefined)),
  )
  if (generated && schema && generated.mtimeMs > schema.mtimeMs) return
  await promisify(execFile)('npm', ['run', '--silent', 'generate'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
  })
}
