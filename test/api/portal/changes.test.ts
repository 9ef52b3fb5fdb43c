import { expect, inject, test } from 'vitest'
import { openDatabase } from '../../../src/database/database.js'
import { line, newAccount } from '../../support/account.js'
import { openChanges } from '../../support/change-stream.js'
import { startForwarding } from '../../support/forwarder.js'
import { newPerson } from '../../support/person.js'
import { until } from '../../support/program.js'
import { countQueries } from '../../support/query-counter.js'
import { startService } from '../../support/service.js'

const service = await startService()
const other = await startService()

/** An account with an operator, and a person who follows its changes. */
async function startWatching(role: 'admin' | 'viewer' = 'viewer') {
  const forwarding = await startForwarding(service)
  const person = await newPerson(service, forwarding, role)
  return { ...forwarding, person, present: await forwarding.revision() }
}

test('an event stream starts with the current revision', async () => {
  const { person, present } = await startWatching()
  const stream = await openChanges(service, person)
  await stream.untilEvents(1)
  expect(stream.events).toEqual([{ id: String(present), revision: present, changes: [] }])
})

test('changes by the forwarder arrive live, each revision once and in order', async () => {
  const { person, present, shipment, call, revision } = await startWatching()
  const stream = await openChanges(service, person)
  await stream.untilEvents(1)
  const id = await shipment({ name: 'Lamps' })
  await stream.untilRevision(present + 1)
  expect(stream.events[1]).toEqual({
    id: String(present + 1),
    revision: present + 1,
    changes: [{ kind: 'shipment', id, what: 'created' }],
  })
  await call('createPurchaseOrder', { body: { reference: 'P-1', product_lines: [line()] } })
  await call('updatePurchaseOrder', { body: { reference: 'P-1', product_lines: [line({ ordered_quantity: 3 })] } })
  await stream.untilRevision(await revision())
  expect(stream.revisions()).toEqual([present, present + 1, present + 2, present + 3])
  expect(stream.named().slice(1)).toEqual(['purchase_order P-1', 'purchase_order P-1'])
})

test('a client that reconnects with its last event id gets every later event exactly once', async () => {
  const { person, present, shipment, revision } = await startWatching()
  const write = async (count: number) => {
    for (let written = 0; written < count; written++) await shipment()
  }
  const first = await openChanges(service, person)
  await first.untilEvents(1)
  const [during] = [write(30), await first.untilRevision(present + 2)]
  first.cut()
  const seen = [...first.events]
  await during
  // No client is connected.
  await write(25)

  const second = await openChanges(service, person, { lastEventId: seen.at(-1)!.id })
  await second.untilEvents(1)
  const [meanwhile] = [write(20), await second.untilRevision(seen.at(-1)!.revision + 1)]
  second.cut()
  const seenThen = [...second.events]
  await meanwhile
  await write(1)
  // The Last-Event-ID of the browser takes precedence over the start revision of the page.
  const third = await openChanges(service, person, { after: 0, lastEventId: seenThen.at(-1)!.id })
  await third.untilRevision(await revision())
  const all = [...seen.slice(1), ...seenThen, ...third.events]
  expect(all.map((event) => event.revision)).toEqual(Array.from({ length: 76 }, (_, index) => present + 1 + index))
  expect(new Set(all.flatMap(({ changes = [] }) => changes.map(({ id }) => id))).size).toBe(76)
})

test('an event stream continues after the requested revision', async () => {
  const { person, present, shipment } = await startWatching()
  await shipment()
  await shipment()
  const stream = await openChanges(service, person, { after: present + 1 })
  await stream.untilEvents(1)
  expect(stream.revisions()).toEqual([present + 2])
})

test('a client far behind, or ahead of the current revision, gets the event to reload everything', async () => {
  const { person, id, revision } = await startWatching()
  const present = await revision()
  const [behind, ahead] = [present + 1500, present + 5000]
  await service.db`update accounts set revision = ${behind} where account_id = ${id}`
  for (const after of [0, ahead]) {
    const stream = await openChanges(service, person, { after })
    await stream.untilEvents(1)
    expect(stream.events).toEqual([{ id: String(behind), revision: behind, everything: true }])
  }
})

test('the event of a large revision names a part of its changes, and that there are more', async () => {
  const { person, present, forwarder } = await startWatching()
  const stream = await openChanges(service, person)
  await stream.untilEvents(1)
  const shipments = Array.from({ length: 300 }, (_, index) => ({ svc_shipment_id: `S-${index}` }))
  await forwarder.imports(...shipments.map((data) => ({ kind: 'shipment' as const, data })))
  await stream.untilRevision(present + 1)
  expect(stream.events[1]?.changes).toHaveLength(200)
  expect(stream.events[1]?.more).toBe(true)
})

test('events contain no keys, and for people only that something changed', async () => {
  const { person, present, revision, ...account } = await startWatching('admin')
  const stream = await openChanges(service, person)
  await stream.untilEvents(1)
  await person.portal('createOwnKey', { body: {} })
  const added = await newPerson(service, account)
  await person.portal('updateRole', { params: { person_id: added.person_id }, body: { role: 'viewer' } })
  await stream.untilRevision(await revision())
  expect(stream.revisions()).toEqual([present, present + 1, present + 2, present + 3])
  expect(stream.events.slice(1).map(({ changes }) => changes)).toEqual([[], [{ kind: 'person' }], [{ kind: 'person' }]])
})

test('changes of another account never arrive', async () => {
  const [mine, theirs] = [await startWatching(), await startWatching()]
  const stream = await openChanges(service, mine.person)
  const watching = await openChanges(service, theirs.person)
  await Promise.all([stream.untilEvents(1), watching.untilEvents(1)])
  const foreign = await theirs.shipment({ name: 'Not yours' })
  await watching.untilRevision(theirs.present + 1)
  const own = await mine.shipment()
  await stream.untilRevision(mine.present + 1)
  expect(stream.named()).toEqual([`shipment ${own}`])
  expect(JSON.stringify(stream.events)).not.toContain(foreign)
})

test('an event stream ends when its person is removed, disabled or signed out, or the account is suspended', async () => {
  const { person: admin, ops, slug, ...account } = await startWatching('admin')
  const open = async () => {
    const person = await newPerson(service, account, 'viewer')
    const stream = await openChanges(service, person)
    await stream.untilEvents(1)
    return { person, stream, params: { person_id: person.person_id } }
  }
  const [removed, disabled, left, suspended] = [await open(), await open(), await open(), await open()]
  await admin.portal('removePerson', { params: removed.params })
  await admin.portal('updateRole', { params: disabled.params, body: { disabled: true } })
  await left.person.portal('signOut')
  await Promise.all([removed, disabled, left].map(({ stream }) => stream.untilEnded()))
  expect(suspended.stream.isOpen()).toBe(true)
  const again = await fetch(`${service.baseUrl}/portal/v1/changes`, { headers: removed.person.headers })
  expect(again.status).toBe(401)
  await ops('updateAccount', slug, { body: { suspended: true } })
  await suspended.stream.untilEnded()
})

test('event streams work with several services on one database, across reconnects', async () => {
  const { person, present, callAt, shipment } = await startWatching()
  const [here, there] = [await openChanges(service, person), await openChanges(other, person)]
  await Promise.all([here.untilEvents(1), there.untilEvents(1)])
  await callAt(other, 'createPurchaseOrder', { body: { reference: 'P-1', product_lines: [line()] } })
  await Promise.all([here.untilRevision(present + 1), there.untilRevision(present + 1)])
  expect(here.named()).toEqual(['purchase_order P-1'])
  expect(there.events).toEqual(here.events)
  here.cut()
  await shipment()
  const moved = await openChanges(other, person, { lastEventId: here.lastEventId()! })
  await moved.untilRevision(present + 2)
  expect(moved.revisions()).toEqual([present + 2])
})

test('a process polls once for all event streams, and not at all without any', async () => {
  const counted = countQueries(openDatabase({ url: inject('databaseUrl') }, { connections: 5 }))
  const quiet = await startService({ db: counted.db })
  const account = await newAccount(service)
  const people = await Promise.all(Array.from({ length: 12 }, () => newPerson(service, account, 'viewer')))
  const streams = await Promise.all(people.map((person) => openChanges(quiet, person)))
  await Promise.all(streams.map((stream) => stream.untilEvents(1)))
  const before = counted.count()
  let looks = 0
  await until(() => (looks = counted.count() - before) >= 2)
  expect(looks).toBeLessThan(people.length)

  for (const stream of streams) stream.cut()
  await until(() => streams.every((stream) => !stream.isOpen()))
  let last = -1
  // Two seconds without a query, with a poll interval of one second.
  await until(async () => {
    last = counted.count()
    await new Promise((resolve) => {
      setTimeout(resolve, 2000)
    })
    return counted.count() === last
  })
})

test('an invalid start revision is refused', async () => {
  const { person } = await startWatching()
  for (const [query, headers] of [
    ['?after=-1', {}],
    ['?after=soon', {}],
    ['', { 'last-event-id': 'yesterday' }],
  ] as const) {
    const response = await fetch(`${service.baseUrl}/portal/v1/changes${query}`, {
      headers: { ...person.headers, ...headers },
    })
    const result = { status: response.status, text: await response.text() }
    expect(result).toBeRefused('invalid_request')
  }
})
