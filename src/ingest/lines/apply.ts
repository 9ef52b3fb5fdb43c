import { readStaged, type StagedKind } from '../../store/staging/staged-records.js'
import { type AccountImport, hasLinesOf, putStaged } from './account-import.js'
import { mergePatches, patchedKinds } from './merge-patches.js'
import { rejectDangling, rejectWithoutInvoice } from './reject-dangling.js'
import { rejectReinstated } from './reject-reinstated.js'
import { validateInvoices } from './validate-invoices.js'
import { validateOrders } from './validate-orders.js'
import { validateTracking } from './validate-tracking.js'

// In order of dependency: a kind comes after those it refers to.
const kinds: StagedKind[] = [
  'location',
  'shipment',
  'purchase_order',
  'assignment',
  'tracking',
  'tracking_event',
  'tracking_position',
  'invoice',
  'payment',
  'document',
  'document_proposal',
  'message',
  'message_file',
  'exception',
]

/** Stores the lines of one account. Lines that conflict with others are rejected first. */
export async function applyToAccount(work: AccountImport): Promise<void> {
  if (work.isPatch) for (const kind of patchedKinds) if (hasLinesOf(work, kind)) await mergePatches(work, kind)
  await rejectDangling(work)
  if (hasLinesOf(work, 'invoice') && (await validateInvoices(work))) await rejectWithoutInvoice(work)
  if (hasLinesOf(work, 'purchase_order', 'assignment')) await validateOrders(work)
  if (hasLinesOf(work, 'shipment')) await rejectReinstated(work)
  if (hasLinesOf(work, 'tracking', 'tracking_event')) await validateTracking(work)
  const { tx, report } = work
  const storedBefore = report.stored
  for (const kind of kinds) if (hasLinesOf(work, kind)) await applyKind(work, kind)
  const stored = report.stored - storedBefore
  let rendered = 0
  const reportShare = (share: number) => {
    report.countRendered(stored * (share - rendered))
    rendered = share
  }
  await tx.derive(reportShare)
  reportShare(1)
}

async function applyKind(work: AccountImport, kind: StagedKind): Promise<void> {
  for await (const batch of readStaged(work.tx.sql, work.slug, kind)) {
    const puts = await putStaged(work, kind, batch)
    for (const { record } of puts) await noteRecord(work, kind, record)
  }
}

async function noteRecord(work: AccountImport, kind: StagedKind, record: object): Promise<void> {
  // For unchanged records too: importing them again restores lost content.
  if ('content_hash' in record) await work.acceptContent(String(record.content_hash))
  if (kind !== 'invoice') return
  const { reference, number } = record as { reference: string; number?: string }
  for (const name of [reference, number]) if (name !== undefined) work.passNumber(name)
}
