import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { expect, inject, test } from 'vitest'
import { type Line, line, newAccount } from '../support/account.js'
import { peakMemory } from '../support/peak-memory.js'
import { runProgram, startServing, temporaryFolder } from '../support/program.js'
import { startService } from '../support/service.js'

/** Nothing limits the length of a text: what is read and stored at once is counted in bytes too. */

const service = await startService()

const orderOf = (reference: string, description: string): Line => ({
  kind: 'purchase_order',
  data: { reference, product_lines: [{ ...line({ reference: '1' }), product: { sku: 'a', description } }] },
})

test('lines of 700 KB, of quotes that double when they are written as JSON, are imported and exported in a small memory', async () => {
  const { slug, id } = await newAccount(service)
  const count = 150
  const quotes = '"'.repeat(350_000)
  const path = join(await temporaryFolder(), 'large.ndjson')
  const env = { DATABASE_URL: inject('databaseUrl'), WAYBILL_DATA_DIR: service.dataFolder }
  const run = (args: string[]) => runProgram(args, { env, nodeOptions: ['--max-old-space-size=100'], timeout: 120_000 })
  await writeLines(path, count, (index) => ({
    ...(index % 2 === 0
      ? orderOf(`P-${index}`, quotes)
      : { kind: 'shipment', data: { svc_shipment_id: `S-${index}`, specific_instructions: quotes } }),
    account: slug,
  }))

  const imported = await run(['import', path, '--json'])
  expect(imported.stderr).toBe('')
  expect(JSON.parse(imported.stdout)).toMatchObject({
    kept: true,
    lines: count,
    kinds: { purchase_order: { created: count / 2 }, shipment: { created: count / 2 } },
  })
  const [stored] = await service.db`
    select (select count(*) from shipments where account_id = ${id}) as shipments,
      (select count(*) from purchase_orders where account_id = ${id}) as orders,
      (select min(octet_length(record)) from changes
        where account_id = ${id} and kind in ('shipment', 'purchase_order')) as smallest`
  expect(stored).toMatchObject({ shipments: count / 2, orders: count / 2 })
  expect(stored?.smallest).toBeGreaterThan(700_000)

  const exported = await run(['export', '--account', slug, '--to', join(await temporaryFolder(), 'exported')])
  expect(exported).toMatchObject({ code: 0, stderr: '' })
})

test('a record of more than 16 MiB is a bad line; the bytes of a document do not count', async () => {
  const { forwarder } = await newAccount(service)
  const size = 16 * 1024 * 1024
  const { outcome, faults } = await forwarder.triesToImport(
    { kind: 'location', data: { id: 1, name: 'x'.repeat(size) } },
    { kind: 'location', data: { id: 2, name: 'x'.repeat(size - 100) } },
    {
      kind: 'document',
      data: {
        id: '6f0a7a4e-53c5-4a0e-8e7d-0c3b5b0f9a11',
        name: 'a.bin',
        content_base64: Buffer.alloc(size).toString('base64'),
      },
    },
  )
  expect(faults).toEqual([{ line: 1, pointer: '/data', detail: 'is larger than 16 MiB' }])
  expect(outcome.summary.rejected).toBe(1)
})

test('lists whose bodies fill several stretches come whole and in order, and so do their pages', async () => {
  const { call, forwarder } = await newAccount(service)
  const long = 'x'.repeat(1_500_000)
  const ids = Array.from({ length: 9 }, (_, index) => index)
  await forwarder.imports(
    ...ids.flatMap((index): Line[] => [
      orderOf(`P-${index}`, index === 4 ? long.repeat(4) : long),
      { kind: 'invoice', data: { reference: `I-${index}`, lines: [{ description: long }] } },
      { kind: 'location', data: { id: index, name: long } },
    ]),
  )
  for (const query of [{}, { take: 9 }, { skip: 2 }, { skip: 1, take: 7 }]) {
    const { skip = 0, take = 9 }: { skip?: number; take?: number } = query
    const wanted = ids.slice(skip, skip + take)
    const orders = (await call('listPurchaseOrders', { query })).body
    expect(orders.map(({ po_number }) => po_number)).toEqual(wanted.map((index) => `P-${index}`))
    const invoices = (await call('listInvoices', { query })).body
    expect(invoices.map(({ reference }) => reference)).toEqual(wanted.map((index) => `I-${index}`))
  }
  expect((await call('listLocations')).body.map(({ id }) => id)).toEqual(ids)
})

test.runIf(process.platform === 'linux')(
  'a list of 60 orders of 3 MB each is served whole, in a small memory (needs Linux)',
  async () => {
    const { id, key, forwarder } = await newAccount(service)
    await forwarder.imports(orderOf('P-0', 'x'.repeat(3_000_000)))
    await service.db`
      insert into purchase_orders (account_id, reference, newest_first, revision, body)
      select account_id, 'P-' || copy, newest_first, revision, body
      from purchase_orders cross join generate_series(1, 59) as copy where account_id = ${id}`
    const serving = await startServing({
      env: { DATABASE_URL: inject('databaseUrl'), WAYBILL_DATA_DIR: await temporaryFolder() },
    })
    const before = await peakMemory(serving.pid)
    const response = await fetch(`${serving.baseUrl}/v1/purchaseOrders`, {
      headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' },
    })
    let bytes = 0
    for await (const chunk of response.body ?? []) bytes += (chunk as Uint8Array).length
    expect(bytes).toBeGreaterThan(180_000_000)
    expect((await peakMemory(serving.pid)) - before).toBeLessThan(286)
    serving.kill('SIGTERM')
    await serving.ended
  },
)

async function writeLines(path: string, count: number, lineOf: (index: number) => object): Promise<void> {
  await pipeline(async function* () {
    for (let index = 0; index < count; index += 1) yield `${JSON.stringify(lineOf(index))}\n`
  }, createWriteStream(path))
}
