import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../bench/processes.js'
import { openFaultyDatabase } from '../../soak/database.js'
import { serverIdentity } from '../../src/database/embedded/process-identity.js'
import { runProgram, startServing, temporaryFolder, until } from '../support/program.js'

/** PgBouncer between Waybill and PostgreSQL, as docs/deploy.md describes it. */

const program = ['/usr/sbin/pgbouncer', '/usr/local/bin/pgbouncer', '/usr/bin/pgbouncer'].find(
  (path) => spawnSync(path, ['--version']).status === 0,
)

test.skipIf(program === undefined)(
  'PgBouncer in session mode serves reads and writes, and in the other modes the start is refused with what to do (needs pgbouncer)',
  async () => {
    const folder = await temporaryFolder()
    const database = await openFaultyDatabase('postgres', join(folder, 'postgres'))
    afterAll(() => database.close())
    for (const mode of ['transaction', 'statement']) {
      const env = { DATABASE_URL: await startPooler(folder, database.env.DATABASE_URL as string, mode) }
      const { code, stderr } = await runProgram(['serve'], { env: { ...env, WAYBILL_DATA_DIR: join(folder, mode) } })
      expect({ mode, code }).toEqual({ mode, code: 1 })
      expect(stderr).toMatch(/gives each transaction another connection.*set its pool_mode to session/s)
    }

    const url = await startPooler(folder, database.env.DATABASE_URL as string, 'session')
    const env = { DATABASE_URL: url, WAYBILL_DATA_DIR: join(folder, 'session') }
    const serving = await startServing({ env })
    await runProgram(['account', 'create', 'pooled', '--name', 'Pooled'], { env })
    const { stdout } = await runProgram(['key', 'create', '--account', 'pooled', '--name', 'Test'], { env })
    const headers = { authorization: `Bearer ${/wb_\S+/.exec(stdout)?.[0]}`, 'content-type': 'application/json' }
    const orders = `${serving.baseUrl}/v1/purchaseOrders`
    const references = Array.from({ length: 20 }, (_, index) => `PO-${index}`)
    const written = await Promise.all(
      references.map((reference) => {
        const order = { reference, product_lines: [{ ordered_quantity: 1, product: { sku: 'A' } }] }
        return fetch(orders, { method: 'POST', headers, body: JSON.stringify(order) })
      }),
    )
    expect(written.map(({ status }) => status)).toEqual(references.map(() => 201))
    const listed = (await (await fetch(`${orders}?take=100`, { headers })).json()) as { po_number: string }[]
    expect(listed.map(({ po_number }) => po_number).toSorted()).toEqual(references.toSorted())
  },
)

/** Its address for Waybill. */
async function startPooler(folder: string, url: string, mode: string): Promise<string> {
  const server = new URL(url)
  const port = await freePort()
  const settings = join(folder, `${mode}.ini`)
  writeFileSync(
    settings,
    `[databases]
* = host=${server.hostname} port=${server.port} user=${server.username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 40
ignore_startup_parameters = statement_timeout
`,
  )
  // It refuses to run as root.
  const child = spawn(program as string, [settings], { ...serverIdentity(folder), stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (bytes: Buffer) => (errors += bytes.toString()))
  onTestFinished(() => void child.kill('SIGKILL'))
  await until(() => {
    if (child.exitCode !== null) throw new Error(`pgbouncer exited: ${errors}`)
    return errors.includes('process up')
  }, 20_000)
  server.host = `127.0.0.1:${port}`
  return server.href
}
