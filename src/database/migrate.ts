import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Reader, TransactionSql } from './database.js'
import { divideMigration } from './migration-statements.js'
import { foundation } from './migrations/0001-foundation.js'
import { forwarder } from './migrations/0002-forwarder.js'
import { portal } from './migrations/0003-portal.js'
import { readingLease } from './migrations/0004-reading-lease.js'
import { searchRoutes } from './migrations/0005-search-routes.js'
import { searchArrivals } from './migrations/0006-search-arrivals.js'
import { leaseAndClocks } from './migrations/0007-lease-and-clocks.js'
import { leaseOfACrew } from './migrations/0008-lease-of-a-crew.js'
import { withoutReadingLease } from './migrations/0009-without-reading-lease.js'
import { trackingLocations } from './migrations/0010-tracking-locations.js'
import { quotas } from './migrations/0011-quotas.js'
import { auditLog } from './migrations/0012-audit-log.js'
import { keys } from './migrations/0013-keys.js'
import { normalizeEmails, signIn } from './migrations/0014-sign-in.js'
import { secondFactors } from './migrations/0015-second-factors.js'
import { trackingRules } from './migrations/0017-tracking-rules.js'
import { office } from './migrations/0018-office.js'
import { inbox } from './migrations/0019-inbox.js'
import { senders } from './migrations/0020-senders.js'
import { feeds } from './migrations/0021-feeds.js'
import { senderCodes } from './migrations/0022-sender-codes.js'
import { overShipment } from './migrations/0023-over-shipment.js'
import { exceptions } from './migrations/0024-exceptions.js'
import { freeTime } from './migrations/0025-free-time.js'
import { inbound } from './migrations/0026-inbound.js'
import { branding } from './migrations/0027-branding.js'
import { documentProposals } from './migrations/0028-document-proposals.js'
import { senderColumns } from './migrations/0030-sender-columns.js'
import { openExceptions } from './migrations/0031-open-exceptions.js'
import { eventOrder } from './migrations/0033-event-order.js'
import { eventPositions } from './migrations/0034-event-positions.js'
import { sharedLinks } from './migrations/0036-shared-links.js'
import { mails } from './migrations/0041-mails.js'
import { webhooks } from './migrations/0042-webhooks.js'
import { notifications } from './migrations/0044-notifications.js'
import { shipmentsOfAllAccounts } from './migrations/0046-shipments-of-all-accounts.js'
import { calendars } from './migrations/0048-calendars.js'
import { conversations } from './migrations/0049-conversations.js'
import { invoiceAmounts } from './migrations/0052-invoice-amounts.js'
import { lateOrders } from './migrations/0053-late-orders.js'
import { viewing } from './migrations/0056-viewing.js'
import { billing, dueDates } from './migrations/0058-billing.js'
import { openOrders } from './migrations/0061-open-orders.js'
import { eventRetention } from './migrations/0065-event-retention.js'
import { movedAccounts } from './migrations/0068-moved-accounts.js'
import { exceptionIndexes } from './migrations/0069-exception-indexes.js'
import { trackingRulesOfNewAccounts } from './migrations/0070-tracking-rules.js'
import { feedTokens } from './migrations/0071-feed-tokens.js'
import { presence } from './migrations/0072-presence.js'
import { operatorAccounts } from './migrations/0073-operator-accounts.js'
import { cancelledOrders } from './migrations/0074-cancelled-orders.js'
import { moreWordings } from './migrations/0075-tracking-rules.js'
import { watchedHistory } from './migrations/0076-watched-history.js'
import { resentDeliveries } from './migrations/0077-resent-deliveries.js'
import { bankPayments } from './migrations/0078-bank-payments.js'
import { numbersOfAllAccounts } from './migrations/0079-numbers-of-all-accounts.js'
import { vesselsOfUnits } from './migrations/0080-tracking-rules.js'
import { datesOfEvidence } from './migrations/0081-tracking-rules.js'
import { unroutedEvents } from './migrations/0082-unrouted-events.js'
import { workItems } from './migrations/0083-work-items.js'
import { sailings } from './migrations/0084-sailings.js'
import { unreportedReturns } from './migrations/0085-tracking-rules.js'
import { tripsBegunElsewhere } from './migrations/0086-tracking-rules.js'
import { eventIndex } from './migrations/0087-event-index.js'
import { namesInTexts } from './migrations/0088-tracking-rules.js'
import { completeMigrations, retryLocks } from './online-migration.js'
import { newLinkSecret } from './service-secrets.js'

type Migration = {
  name: string
  sql: string
  /** An update of many rows, `update TABLE set ... where ...`, that is true for no row any more once it has changed it. */
  backfill?: string
  /** What SQL cannot do. */
  run?: (tx: TransactionSql) => Promise<void>
}

/** Forward only. A released migration is never edited: a later one corrects it. */
export const migrations: Migration[] = [
  { name: 'foundation', sql: foundation },
  { name: 'forwarder', sql: forwarder },
  { name: 'portal', sql: portal },
  { name: 'reading lease', sql: readingLease },
  { name: 'search routes', sql: searchRoutes },
  { name: 'search arrivals', sql: searchArrivals },
  { name: 'lease and clocks', sql: leaseAndClocks },
  { name: 'lease of a crew', sql: leaseOfACrew },
  { name: 'without reading lease', sql: withoutReadingLease },
  { name: 'tracking locations', sql: trackingLocations },
  { name: 'quotas', sql: quotas },
  { name: 'audit log', sql: auditLog },
  { name: 'keys', sql: keys },
  { name: 'sign-in', sql: signIn, run: normalizeEmails },
  { name: 'second factors', sql: secondFactors },
  { name: 'tracking rules', sql: trackingRules },
  { name: 'office', sql: office },
  { name: 'inbox', sql: inbox },
  { name: 'senders', sql: senders },
  { name: 'feeds', sql: feeds },
  { name: 'sender codes', sql: senderCodes },
  { name: 'over-shipment', sql: overShipment },
  { name: 'free time', sql: freeTime },
  { name: 'document proposals', sql: documentProposals },
  { name: 'inbound', sql: inbound },
  { name: 'exceptions', sql: exceptions },
  { name: 'sender columns', sql: senderColumns },
  { name: 'branding', sql: branding },
  { name: 'event order', sql: eventOrder },
  { name: 'event positions', sql: eventPositions },
  { name: 'mails', sql: mails },
  { name: 'shared links', sql: sharedLinks },
  { name: 'open exceptions', sql: openExceptions },
  { name: 'notifications', sql: notifications },
  { name: 'shipments of all accounts', sql: shipmentsOfAllAccounts },
  { name: 'webhooks', sql: webhooks },
  { name: 'calendars', sql: calendars },
  { name: 'conversations', sql: conversations },
  { name: 'invoice amounts', sql: invoiceAmounts },
  { name: 'late orders', sql: lateOrders },
  { name: 'billing', sql: billing, backfill: dueDates },
  { name: 'viewing', sql: viewing },
  { name: 'open orders', sql: openOrders },
  { name: 'event retention', sql: eventRetention },
  { name: 'moved accounts', sql: movedAccounts },
  { name: 'exception indexes', sql: exceptionIndexes },
  { name: 'tracking rules of new accounts', sql: trackingRulesOfNewAccounts },
  { name: 'feed tokens', sql: feedTokens },
  { name: 'presence', sql: presence },
  { name: 'operator accounts', sql: operatorAccounts },
  { name: 'cancelled orders', sql: cancelledOrders },
  { name: 'rules of more wordings', sql: moreWordings },
  { name: 'watched history', sql: watchedHistory },
  { name: 'resent deliveries', sql: resentDeliveries },
  { name: 'payments of bank lists', sql: bankPayments },
  { name: 'numbers of all accounts', sql: numbersOfAllAccounts },
  { name: 'rules of vessels and trips of units', sql: vesselsOfUnits },
  { name: 'rules of the dates that follow from other events', sql: datesOfEvidence },
  { name: 'events by their identifier without a party', sql: unroutedEvents },
  { name: 'handled work', sql: workItems },
  { name: 'sailings', sql: sailings },
  { name: 'rules of trips whose return nobody reports', sql: unreportedReturns },
  { name: 'trips begun elsewhere', sql: tripsBegunElsewhere },
  { name: 'event index', sql: eventIndex },
  { name: 'names in texts', sql: namesInTexts },
]

export const schemaVersion = migrations.length

export class SchemaTooNew extends Error {
  constructor(found: number, where = 'the database') {
    super(`${where} has schema version ${found}, this program supports up to ${schemaVersion}: run a newer Waybill`)
    this.name = 'SchemaTooNew'
  }
}

// An arbitrary number, the same in every version: processes that start together migrate one after another.
const migrationLock = 7_219_402_118

/**
 * Brings the schema up to date while other processes serve, and returns the versions before and after. Each migration is a transaction,
 * what would block for long follows it (`online-migration.ts`). An empty database gets all in one transaction.
 */
export async function migrate(db: Database): Promise<{ from: number; to: number }> {
  // A transaction that only holds the lock: an index cannot be built within one. No statement with parameters, whose snapshot
  // PostgreSQL keeps until the next one: building an index waits for snapshots.
  return db.beginCopy(async (lock) => {
    await lock.unsafe('set local idle_in_transaction_session_timeout = 0')
    await lockSchema(lock)
    const from = await findSchemaVersion(db)
    if (from === 0) return db.beginLong((tx) => migrateWithin(tx), { statementTimeout: 0 })
    if (from > schemaVersion) throw new SchemaTooNew(from)
    await allowPending(db)
    await completeMigrations(db)
    for (let version = from + 1; version <= schemaVersion; version += 1) {
      await retryLocks((options) => db.beginLong((tx) => migrateOnline(tx, version), options))
      await completeMigrations(db)
    }
    await db.begin(ensureSecret)
    return { from, to: schemaVersion }
  })
}

/** Blocks other migrations and restores until the transaction ends. Who waits within a statement would delay the building of indexes. */
export async function lockSchema(tx: TransactionSql): Promise<void> {
  for (;;) {
    const rows = await tx.unsafe(`select pg_try_advisory_xact_lock(${migrationLock}) as locked`)
    if ((rows as { locked: boolean }[])[0]?.locked) return
    await sleep(100)
  }
}

async function allowPending(db: Database): Promise<void> {
  const [column] = await db`
    select from pg_attribute where attrelid = 'schema_migrations'::regclass and attname = 'pending'`
  if (column) return
  await retryLocks((options) =>
    db.beginLong((tx) => tx.unsafe('alter table schema_migrations add column pending text[]'), options),
  )
}

/** The transaction of one migration, on a database in use; `completeMigrations` does the rest. */
export async function migrateOnline(tx: TransactionSql, version: number): Promise<void> {
  const migration = migrations[version - 1] as Migration
  const { within, after } = divideMigration(migration, await listRelations(tx))
  if (within.length > 0) await tx.unsafe(within.join(';\n'))
  await migration.run?.(tx)
  await tx`
    insert into schema_migrations (version, name, pending)
    values (${version}, ${migration.name}, ${after.length === 0 ? null : after}::text[])`
}

/** The names of tables and indexes. */
async function listRelations(db: Reader): Promise<Set<string>> {
  const rows = await db<{ name: string }[]>`
    select relname as name from pg_class where relkind in ('r', 'p', 'i', 'I') and pg_table_is_visible(oid)`
  return new Set(rows.map(({ name }) => name))
}

async function ensureSecret(tx: TransactionSql): Promise<void> {
  await tx`
    insert into service (link_secret) values (${newLinkSecret()})
    on conflict do nothing`
}

/** `migrate` within one transaction, for a database that nobody uses yet; `to` may be an older version. */
export async function migrateWithin(tx: TransactionSql, to = schemaVersion): Promise<{ from: number; to: number }> {
  await tx`
    create table if not exists schema_migrations (
      version integer primary key,
      name text not null,
      applied_at timestamptz not null default now(),
      -- What is left to do after the transaction of the migration.
      pending text[]
    )`
  const from = await appliedVersion(tx)
  if (from > schemaVersion) throw new SchemaTooNew(from)
  for (const [index, migration] of migrations.slice(0, to).entries()) {
    const version = index + 1
    if (version <= from) continue
    await tx.unsafe(migration.sql)
    if (migration.backfill) await tx.unsafe(migration.backfill)
    await migration.run?.(tx)
    await tx`insert into schema_migrations (version, name) values (${version}, ${migration.name})`
  }
  await ensureSecret(tx)
  return { from, to }
}

/** The schema version; 0 for an empty database. */
export async function findSchemaVersion(db: Reader): Promise<number> {
  const [row] = await db<{ exists: boolean }[]>`
    select to_regclass('schema_migrations') is not null as "exists"`
  return row?.exists ? appliedVersion(db) : 0
}

export async function appliedVersion(db: Reader): Promise<number> {
  const [row] = await db<{ version: number }[]>`
    select coalesce(max(version), 0) as version from schema_migrations`
  return row?.version ?? 0
}
