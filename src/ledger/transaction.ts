import type { Quotas } from '../contract/operator/quotas.js'
import type { AccountId } from '../database/account-id.js'
import type { TransactionSql } from '../database/database.js'
import { isUnchanged } from '../domain/records/record-changes.js'
import type { Change } from '../store/write.js'
import { type Derived, derive } from './derive.js'
import { type ChangeKind, type RecordKind, type Records, recordId } from './records.js'
import { appendChanges, raiseRevision } from './revision-writes.js'
import { deleteRows, saveRows } from './rows.js'
import { keepTracking, noneStale, noteLength, type Stale, staleAfter } from './stale.js'
import { type ContentUsage, StorageUsage } from './storage-usage.js'
import type { DerivedTracking } from './whole-tracking.js'

/** The account's next revision, the time of the write since 1970, and its storage, read under its lock. */
export type LockedAccount = { revision: number; microseconds: number; quotas: Quotas; stored_bytes: number }

type What = 'created' | 'updated' | 'corrected'

export type Put<Kind extends RecordKind> = {
  record: Records[Kind]
  /** The stored record; undefined for a new one. */
  before: Records[Kind] | undefined
  what?: What | undefined
  reason?: string | undefined
  /** When it was first stored, if in another installation. */
  stored_at?: string | undefined
}

export type PutResult = 'created' | 'updated' | 'unchanged'

/**
 * One write to one account, under the account's lock. Statements that write are sent without awaiting their results, so
 * they cost no round trip; later reads on the connection see them. Their errors surface at commit.
 */
export class Transaction {
  readonly sql: TransactionSql
  /** The account's next revision, under which everything is stored. */
  readonly revision: number
  /** The time of the write: later than that of every write before it. */
  readonly at: string
  readonly author: string
  readonly #account: AccountId
  readonly #locked: LockedAccount
  readonly #changed = new Set<ChangeKind>()
  /** Records that this write has stored, by kind and identifier. */
  readonly #put = new Set<string>()
  #stale: Stale = noneStale()
  /** Why bodies are rendered although no record changed. */
  #reason: string | undefined
  readonly #usage: StorageUsage

  constructor(sql: TransactionSql, account: AccountId, given: LockedAccount & { author: string }) {
    this.sql = sql
    this.#account = account
    this.revision = given.revision
    this.at = timeOf(given.microseconds)
    this.#locked = given
    this.author = given.author
    this.#usage = new StorageUsage(given)
  }

  /** Quotas for an account that has none of its own. */
  applyDefaultQuotas(quotas: Quotas): void {
    this.#usage.defaults = quotas
  }

  /** Stores records that differ from the stored ones. `derive` renders the bodies that include them. */
  put<Kind extends keyof typeof recordId>(kind: Kind, puts: Put<Kind>[]): PutResult[] {
    const results = puts.map(({ record, before }) => resultOf(record, before))
    const changed = puts.filter((_, index) => results[index] !== 'unchanged')
    if (changed.length > 0) {
      const idOf = recordId[kind] as (record: Records[Kind]) => string
      const changes = changed.map(({ record, before, what, reason }) => ({
        kind,
        id: idOf(record),
        what: what ?? (before ? ('updated' as const) : ('created' as const)),
        record: JSON.stringify(record),
        reason,
      }))
      for (const { id, record } of changes) noteLength(this.#stale, id, record.length)
      // What the service itself finds counts for no quota.
      if (kind !== 'exception') this.#usage.add(changes, contentsOf(kind, changed))
      this.record(changes)
      saveRows(this, this.#account, kind, changed)
      staleAfter(this.#stale, kind, changed)
    }
    return results
  }

  /** Removes a record; its history stays. */
  remove<Kind extends 'invoice' | 'payment' | 'document' | 'assignment' | 'tracking_event'>(
    kind: Kind,
    record: Records[Kind],
    reason: string | undefined,
  ): void {
    const idOf = recordId[kind] as (record: Records[Kind]) => string
    this.record([{ kind, id: idOf(record), what: 'removed', reason }])
    this.sql.send(deleteRows(this.sql, this.#account, kind, record))
    staleAfter(this.#stale, kind, [{ record, before: record }])
  }

  /** What was derived to store a tracking: its body is rendered from that. It must be what is stored now. */
  keepTracking(id: string, known: DerivedTracking): void {
    keepTracking(this.#stale, id, known)
  }

  /** Appends to the change log. Every change of a record goes through here. */
  record(changes: Change[]): void {
    if (changes.length === 0) return
    for (const { kind, id, what } of changes) {
      this.#changed.add(kind)
      // Lists of proposals and of messages are validated by the revision of documents.
      if (kind === 'document_proposal' || kind === 'message') this.#changed.add('document')
      if (what !== 'derived' && isRendered(kind)) this.#put.add(`${kind} ${id}`)
    }
    appendChanges(this, this.#account, changes)
  }

  /**
   * Renders the bodies that include records changed by this write, and stores those that differ. Reports the share that
   * is done, from 0 to 1.
   */
  async derive(onProgress?: (share: number) => void): Promise<void> {
    const stale = this.#stale
    this.#stale = noneStale()
    const changes: Change[] = []
    await derive(this, this.#account, stale, { store: (derived) => this.#store(derived, changes), onProgress })
    this.record(changes)
  }

  /** Renders the tracking of these shipments, and what follows from it, by the present rules. */
  renewTracking(shipments: string[], reason: string): void {
    this.#reason = reason
    for (const id of shipments) this.#stale.tracking.add(id)
  }

  /** Nothing reads the changes of bodies within the write: those of all kinds are appended by one statement, unless they are many. */
  #store({ kind, ids, save }: Derived, changes: Change[]): void {
    const others = ids.filter((id) => !this.#put.has(`${kind} ${id}`))
    changes.push(...others.map((id) => ({ kind, id, what: 'derived' as const, reason: this.#reason })))
    if (changes.length >= manyChanges) this.record(changes.splice(0))
    this.#changed.add(kind)
    save()
  }

  /** Refuses the write if the account would exceed a quota. Called at the end, and before content of documents is kept. */
  async refuseOverQuota(): Promise<void> {
    await this.#usage.refuseExcess(this.sql, this.#account)
  }

  /** Renders the remaining bodies and raises the revision. Returns what the next write of the account starts from. */
  async finish(): Promise<LockedAccount> {
    await this.derive()
    await this.refuseOverQuota()
    if (this.#changed.size === 0) return this.#locked
    const { addedBytes } = this.#usage
    raiseRevision(this, this.#account, { changed: [...this.#changed], addedBytes })
    const { revision, microseconds, stored_bytes, quotas } = this.#locked
    return {
      revision: revision + 1,
      microseconds: microseconds + 1,
      stored_bytes: stored_bytes + addedBytes,
      quotas,
    }
  }
}

const manyChanges = 100

/** RFC 3339, in UTC, to the microsecond. */
function timeOf(microseconds: number): string {
  const milliseconds = new Date(Math.floor(microseconds / 1000)).toISOString().slice(0, -1)
  return `${milliseconds}${String(microseconds % 1000).padStart(3, '0')}Z`
}

/** The contents that a write stores. The content of an accepted proposal is that of its document from then on. */
function contentsOf<Kind extends RecordKind>(kind: Kind, puts: Put<Kind>[]): ContentUsage[] {
  if (kind === 'document')
    return (puts as Put<'document'>[]).map(({ record, before }) => ({
      bytes: record.content_hash === before?.content_hash ? 0 : record.size,
      isNewDocument: !before,
    }))
  if (kind === 'message_file')
    return (puts as Put<'message_file'>[]).map(({ record, before }) => ({
      bytes: before ? 0 : record.size,
      isNewDocument: false,
    }))
  if (kind !== 'document_proposal') return []
  return (puts as Put<'document_proposal'>[]).map(({ record, before }) => ({
    bytes: !before ? record.size : record.state === 'accepted' ? -record.size : 0,
    isNewDocument: false,
  }))
}

/** Whether its body includes other records: it may change without its own record changing. */
function isRendered(kind: ChangeKind): boolean {
  return kind === 'tracking' || kind === 'shipment' || kind === 'purchase_order'
}

function resultOf(record: object, before: object | undefined): PutResult {
  if (!before) return 'created'
  return isUnchanged(before, record) ? 'unchanged' : 'updated'
}
