import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { writeBackup } from '../../../src/database/backup/backup.js'
import { restoreBackup } from '../../../src/database/backup/restore.js'
import { listBackupTables, listTables } from '../../../src/database/catalog.js'
import { openDatabase } from '../../../src/database/database.js'
import { newAccount } from '../../support/account.js'
import { newPerson } from '../../support/portal.js'
import { temporaryFolder } from '../../support/program.js'
import { serviceOnNewDatabase } from '../../support/round-trip.js'

/** The portal's data in a backup and after a restore. */

test('a backup contains every table except transient and derived ones', async () => {
  const db = openDatabase({ url: inject('databaseUrl') }, { connections: 1 })
  onTestFinished(() => db.end())
  const kept = new Set((await listBackupTables(db)).map(({ name }) => name))
  const left = (await listTables(db)).map(({ name }) => name).filter((name) => !kept.has(name))
  expect(left.toSorted()).toEqual([
    'document_search',
    'feed_secrets',
    'invoice_search',
    'key_uses',
    'mails',
    'passkey_challenges',
    'pending_sign_ins',
    'personal_links',
    'presence',
    'purchase_order_search',
    'requests',
    'search_counts',
    'search_state',
    'search_texts',
    'service',
    'sessions',
    'shipment_search',
    'sign_in_failures',
    'totp_factors',
    'webhook_deliveries',
    'webhook_secrets',
  ])
})

test('after a restore sessions are gone, people and views exist, and a search finds the restored data', async () => {
  const service = await serviceOnNewDatabase('restored_portal')
  const { db } = service
  const account = await newAccount(service)
  const shipment = (svc_shipment_id: string) => ({
    kind: 'shipment' as const,
    data: { svc_shipment_id, name: 'Lamps' },
  })
  await account.forwarder.imports(shipment('S-1'), shipment('S-2'))
  const person = await newPerson(service, account)
  await person.ask('createView', { body: { page: 'shipments', name: 'Mine', query: 'q=lamps' } })
  expect((await person.ask('findShipments', { query: { q: 'lamps' } })).body.count.value).toBe(2)
  const path = join(await temporaryFolder(), 'backup.tar.gz')
  await writeBackup(service, path, new AbortController().signal)

  await account.forwarder.imports(shipment('S-3'))
  expect((await person.ask('findShipments', { query: { q: 'lamps' } })).body.count.value).toBe(3)
  const file = await open(path)
  onTestFinished(() => file.close())
  await restoreBackup(service, file, new AbortController().signal)

  expect(await person.ask('findShipments')).toBeRefused('not_signed_in')
  const [left] = await db`
    select (select count(*) from sessions) as sessions, (select count(*) from people) as people,
      (select count(*) from saved_views) as views, (select count(*) from search_texts) as texts`
  expect(left).toEqual({ sessions: 0, people: 1, views: 1, texts: 0 })
  // The revision existed before with other data.
  await account.forwarder.imports(shipment('S-4'))
  const again = await newPerson(service, account)
  const { body } = await again.ask('findShipments', { query: { q: 'lamps', sort: 'name' } })
  expect(body.shipments.map(({ svc_shipment_id }) => svc_shipment_id)).toEqual(['S-1', 'S-2', 'S-4'])
})
