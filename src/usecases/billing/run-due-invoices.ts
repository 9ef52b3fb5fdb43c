import { setTimeout as sleep } from 'node:timers/promises'
import { businessTime } from '../../clock/clock.js'
import type { AccountId } from '../../database/account-id.js'
import type { Database } from '../../database/database.js'
import { serviceAuthor } from '../../domain/exceptions/episodes.js'
import { groupedBy } from '../../domain/records/grouping.js'
import { commit } from '../../ledger/commit.js'
import { findBecomingDue } from '../../store/invoices.js'
import { findInvoiceRecord, saveInvoice } from '../invoices/invoice-record.js'
import { forwarderToday } from './find-all-invoices.js'

/** On its due date, an available invoice becomes due. Several processes may do it: what is due already stays so. */

// Days change at midnight; a minute later is soon enough (ms).
const pause = 60_000
// The account is locked meanwhile.
const invoicesAtOnce = 200

type Options = {
  signal: AbortSignal
  onError(error: unknown): void
  /** Business time, unless it is simulated and others have to be done before. */
  readTime?: (() => number) | undefined
}

/** Runs until the signal aborts. */
export async function runDueInvoices(
  db: Database,
  { signal, onError, readTime = businessTime }: Options,
): Promise<void> {
  while (!signal.aborted) {
    await sleep(pause, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    await moveDueInvoices(db, readTime(), signal).catch(onError)
  }
}

export async function moveDueInvoices(db: Database, now: number, signal?: AbortSignal): Promise<void> {
  const today = await forwarderToday(db, now)
  for (;;) {
    const due = await findBecomingDue(db, today, invoicesAtOnce)
    for (const [account, invoices] of groupedBy(due, ({ account_id }) => account_id)) {
      if (signal?.aborted) return
      await becomeDue(
        db,
        account,
        invoices.map(({ reference }) => reference),
        today,
      )
    }
    if (due.length < invoicesAtOnce) return
  }
}

async function becomeDue(db: Database, account: AccountId, references: string[], today: string): Promise<void> {
  await commit(db, account, serviceAuthor, async (tx) => {
    for (const reference of references) {
      const record = await findInvoiceRecord(tx.sql, account, reference)
      if (record?.status !== 'available' || record.draft || (record.due_date ?? today) > today) continue
      await saveInvoice(tx, account, { ...record, status: 'due' }, { reason: `Due since ${record.due_date}` })
    }
  })
}
