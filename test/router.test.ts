import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../bench/processes.js'
import type { Database } from '../src/database/database.js'
import { newAccount } from './support/account.js'
import { ownDatabase } from './support/own-database.js'
import { until } from './support/program.js'
import { startService } from './support/service.js'

// docs/scaling.md has the same statement.
const keysOf = (db: Database, slug: string, place: string) => db<{ line: string }[]>`
  select upper(encode(hash, 'hex')) || ' ' || ${place}::text as line
  from keys join accounts using (account_id) where slug = ${slug} and revoked_at is null`

const haproxy = ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy', '/usr/bin/haproxy'].find(
  (path) => spawnSync(path, ['-v']).status === 0,
)

test.skipIf(haproxy === undefined)(
  'the router leads each key to the installation of its account (needs haproxy)',
  async () => {
    const [first, second] = [
      await startService({ db: await ownDatabase('router_first') }),
      await startService({ db: await ownDatabase('router_second') }),
    ]
    const [here, there] = [await newAccount(first), await newAccount(second)]
    const router = await startRouter(first, second, await keysOf(second.db, there.slug, 'second'))

    for (const [account, id] of [
      [here, 'HERE-1'],
      [there, 'THERE-1'],
    ] as const) {
      await account.forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: id } })
      const shipments = await read(router, account.key)
      expect([shipments.status, await shipments.text()]).toEqual([200, expect.stringContaining(id)])
      const order = { reference: 'P/1', product_lines: [{ ordered_quantity: 1, product: { sku: 'A' } }] }
      expect((await read(router, account.key, '/v1/purchaseOrders', order)).status).toBe(201)
      expect((await read(router, account.key, '/v1/purchaseOrders/P%2F1')).status).toBe(200)
    }
    expect((await here.call('getPurchaseOrder', { params: { reference: 'P/1' } })).status).toBe(200)
    expect((await there.call('getPurchaseOrder', { params: { reference: 'P/1' } })).status).toBe(200)
    expect((await read(router, 'unknown')).status).toBe(401)
  },
)

type Place = { baseUrl: string; dataFolder: string }

async function startRouter(first: Place, second: Place, keys: { line: string }[]): Promise<string> {
  const port = await freePort()
  const [map, settings] = [join(first.dataFolder, 'keys.map'), join(first.dataFolder, 'router.cfg')]
  writeFileSync(map, `${keys.map(({ line }) => line).join('\n')}\n`)
  const given = readFileSync(join(import.meta.dirname, '..', 'deploy', 'router.cfg'), 'utf8')
  const replacements = [
    ['/etc/haproxy/waybill-keys.map', map],
    ['127.0.0.1:4000', `127.0.0.1:${port}`],
    ['127.0.0.1:4010', new URL(first.baseUrl).host],
    ['127.0.0.1:4020', new URL(second.baseUrl).host],
  ] as const
  writeFileSync(
    settings,
    replacements.reduce((text, [from, to]) => text.replace(from, to), given),
  )
  const child = spawn(haproxy as string, ['-db', '-f', settings], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  const router = `http://127.0.0.1:${port}`
  await until(() =>
    fetch(`${router}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  return router
}

function read(router: string, key: string, path = '/v1/shipments', body?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) }
  return fetch(router + path, {
    headers,
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
}
