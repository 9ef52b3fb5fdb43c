import { expect, inject, test } from 'vitest'
import type { PortalOperation } from '../../../src/contract/portal/operation.js'
import { portalOperationNames, portalOperations } from '../../../src/contract/portal/operations.js'
import { openDatabase } from '../../../src/database/database.js'
import { newAccount } from '../../support/account.js'
import { newPerson } from '../../support/portal.js'
import { countQueries } from '../../support/query-counter.js'
import { startService } from '../../support/service.js'

/** Portal responses that depend only on the account's data are cached until it changes. */

const counted = countQueries(openDatabase({ url: inject('databaseUrl') }, { connections: 2 }))
const service = await startService({ db: counted.db, cacheBytes: 1_000_000 })
const other = await startService({ cacheBytes: 1_000_000 })
const forgetful = await startService({ cacheBytes: 0 })

const cached = portalOperationNames.filter((name) => (portalOperations[name] as PortalOperation).isOfAccount)

async function start() {
  const account = await newAccount(service)
  await account.forwarder.imports(
    { kind: 'shipment', data: { svc_shipment_id: 'S-1', name: 'Lamps', status: 'in_progress' } },
    {
      kind: 'purchase_order',
      data: { reference: 'P-1', product_lines: [{ ordered_quantity: 1, product: { sku: 'L' } }] },
    },
    { kind: 'invoice', data: { reference: 'I-1', status: 'due' as const } },
  )
  const person = await newPerson(service, account, 'admin')
  const read = async (name: (typeof portalOperationNames)[number], from = service) => {
    const query = name === 'search' ? '?q=lamps' : ''
    const response = await fetch(from.baseUrl + portalOperations[name].path + query, {
      headers: { cookie: person.headers.cookie },
    })
    expect(response.status).toBe(200)
    return response.text()
  }
  return { ...account, person, read }
}

test.each(cached)('%s costs only the session lookup when repeated, and equals an uncached response', async (name) => {
  const { read } = await start()
  const first = await read(name)
  const before = counted.count()
  expect(await read(name)).toBe(first)
  expect(counted.count() - before).toBe(1)
  expect(await read(name, forgetful)).toBe(first)
})

test('a write is visible in the next response of every process', async () => {
  const { forwarder, read } = await start()
  const processes = [service, other]
  const namesAt = async () => Promise.all(processes.map(async (each) => read('findShipments', each)))
  for (const word of ['Chairs', 'Tables', 'Shelves']) {
    await namesAt()
    await forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'S-1', name: word } })
    for (const text of await namesAt()) expect(text).toContain(word)
  }
})

test('cached responses are separate by account and by date', async () => {
  const [one, two] = [await start(), await start()]
  await two.forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'S-2', name: 'Secret' } })
  expect(await two.read('findShipments')).toContain('Secret')
  expect(await one.read('findShipments')).not.toContain('Secret')

  // The time zones are 25 hours apart, so the dates always differ.
  const people = [one.person, await newPerson(service, one, 'viewer')] as const
  await people[0].ask('updatePerson', { body: { time_zone: 'Pacific/Kiritimati' } })
  await people[1].ask('updatePerson', { body: { time_zone: 'Pacific/Pago_Pago' } })
  const dayOf = async ({ ask }: (typeof people)[number]) => (await ask('getInvoiceTotals')).body.today
  expect(await dayOf(people[0])).not.toBe(await dayOf(people[1]))
})
