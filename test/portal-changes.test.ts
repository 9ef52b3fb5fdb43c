import { expect, inject, test } from 'vitest'
import { openDatabase } from '../src/storage/database.js'
import { line, newAccount } from './support/account.js'
import { openChanges } from './support/change-stream.js'
import { countingQueries } from './support/counting.js'
import { startForwarding } from './support/forwarder.js'
import { newPerson } from './support/person.js'
import { until } from './support/program.js'
import { startService } from './support/service.js'

const service = await startService()
const other = await startService()

/** An account with somebody of the forwarder, and somebody who looks at it. */
async function startWatching(role: 'admin' | 'viewer' = 'viewer') {
  const forwarding = await startForwarding(service)
  const person = await newPerson(service, forwarding, role)
  return { ...forwarding, person, present: await forwarding.revision() }
}

test('a stream begins by telling the present revision', async () => {
  const { person, present } = await startWatching()
  const stream = await openChanges(service, person)
  await stream.untilEvents(1)
  expect(stream.events).toEqual([{ id: String(present), revision: present, changes: [] }])
})

test('what the forwarder changes arrives as it happens, each revision once and in order', async () => {
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

test('after a cut, whoever says where they were misses nothing and is told nothing twice', async () => {
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
  // Nobody listens.
  await write(25)

  const second = await openChanges(service, person, { lastEventId: seen.at(-1)!.id })
  await second.untilEvents(1)
  const [meanwhile] = [write(20), await second.untilRevision(seen.at(-1)!.revision + 1)]
  second.cut()
  const seenThen = [...second.events]
  await meanwhile
  await write(1)
  // Where a browser was counts for more than where the page began.
  const third = await openChanges(service, person, { after: 0, lastEventId: seenThen.at(-1)!.id })
  await third.untilRevision(await revision())
  const all = [...seen.slice(1), ...seenThen, ...third.events]
  expect(all.map((event) => event.revision)).toEqual(Array.from({ length: 76 }, (_, index) => present + 1 + index))
  expect(new Set(all.flatMap(({ changes = [] }) => changes.map(({ id }) => id))).size).toBe(76)
})

test('a stream goes on behind the revision that is asked for', async () => {
  const { person, present, shipment } = await startWatching()
  await shipment()
  await shipment()
  const stream = await openChanges(service, person, { after: present + 1 })
  await stream.untilEvents(1)
  expect(stream.revisions()).toEqual([present + 2])
})

test('whoever is very far behind, or ahead of all there is, is told to read everything anew', async () => {
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

test('of a revision that changes much, a part is named, and that there is more is told', async () => {
  const { person, present, forwarder } = await startWatching()
  const stream = await openChanges(service, person)
  await stream.untilEvents(1)
  const shipments = Array.from({ length: 300 }, (_, index) => ({ svc_shipment_id: `S-${index}` }))
  await forwarder.imports(...shipments.map((data) => ({ kind: 'shipment' as const, data })))
  await stream.untilRevision(present + 1)
  expect(stream.events[1]?.changes).toHaveLength(200)
  expect(stream.events[1]?.more).toBe(true)
})

test('keys are not told of, and of people only that something has changed', async () => {
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

test('a stream ends when the person is removed, disabled or signs out, and when the account is suspended', async () => {
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

test('it works with several services on one database, wherever the change was made and the stream goes on', async () => {
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

test('a process looks by one query for all streams, and not at all when nobody listens', async () => {
  const counted = countingQueries(openDatabase({ url: inject('databaseUrl') }, { connections: 5 }))
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
  // Two seconds without a query, where a look is made every second.
  await until(async () => {
    last = counted.count()
    await new Promise((resolve) => {
      setTimeout(resolve, 2000)
    })
    return counted.count() === last
  })
})

test('a place to go on that is none is refused', async () => {
  const { person } = await startWatching()
  for (const [query, headers] of [
    ['?after=-1', {}],
    ['?after=soon', {}],
    ['', { 'last-event-id': 'yesterday' }],
  ] as const) {
    const response = await fetch(`${service.baseUrl}/portal/v1/changes${query}`, {
      headers: { ...person.headers, ...headers },
    })
    const answer = { status: response.status, text: await response.text() }
    expect(answer).toBeRefused('invalid_request')
  }
})
