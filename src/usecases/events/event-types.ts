import { createHash } from 'node:crypto'
import type { ExceptionRecord } from '../../contract/operator/exceptions.js'
import {
  type ChangeEvent,
  type EventKind,
  type EventType,
  eventKinds,
  eventTypes,
} from '../../contract/public/event.js'
import type { InvoiceRecord } from '../../contract/public/invoice.js'
import type { OwnLocationRecord } from '../../contract/public/location.js'
import type { DocumentProposalRecord } from '../../contract/public/proposal.js'
import { invalid } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import { renderException } from '../../domain/exceptions/episodes.js'
import { renderInvoice } from '../../domain/invoices/invoice.js'
import type { takeTurns } from '../../jobs/in-slices.js'
import type { OrderedChange, RecordVersions } from '../../ledger/changes.js'
import { proposalOf } from '../documents/propose-document.js'
import { topLevelNames, viewsOf } from './changed-fields.js'

/** The one place that makes events of changes: what the account cannot read makes none. */

/** An account in a database: a restored backup counts revisions again from an earlier one, so its events are different events. */
export type FeedOrigin = { account: AccountId; epoch: string }

type What = ChangeEvent['what']

// What an account sees of records of which it does not see everything; undefined if nothing.
const views: { [Kind in EventKind]?: (record: unknown) => object | undefined } = {
  invoice: (record) => ((record as InvoiceRecord).draft ? undefined : renderInvoice(record as InvoiceRecord)),
  exception: (record) => ((record as ExceptionRecord).visible ? renderException(record as ExceptionRecord) : undefined),
  location: (record) => ((record as OwnLocationRecord).retired ? undefined : (record as object)),
  document_proposal: (record) => proposalOf(record as DocumentProposalRecord),
  // Only that it was disabled is an event.
  webhook: (record) => ('disabled' in (record as object) ? { disabled: true } : {}),
}

/** The types that a request names; undefined: all. */
export function typesIn(text: string | undefined): ReadonlySet<EventType> | undefined {
  if (text === undefined) return undefined
  const types = text.split(',').map((type) => type.trim())
  const unknown = types.find((type) => !(eventTypes as readonly string[]).includes(type))
  if (unknown === undefined) return new Set(types as EventType[])
  throw invalid([{ pointer: '/types', detail: `must be types separated by commas: ${eventTypes.join(', ')}` }])
}

/** Whether changes of the kind can be events of these types, or of any. */
export function isEventKind(kind: string, types?: ReadonlySet<EventType>): kind is EventKind {
  if (!(eventKinds as readonly string[]).includes(kind)) return false
  return !types || eventTypes.some((type) => type.startsWith(`${kind}.`) && types.has(type))
}

/** Whether the event depends on the content of the record. */
export function needsRecords(kind: EventKind): boolean {
  return views[kind] !== undefined
}

/** The event of a change; undefined if the account sees no difference. */
export async function eventOf(
  origin: FeedOrigin,
  { revision, kind, id, what, at }: OrderedChange,
  versions: RecordVersions | undefined,
  fields: string[],
  others: ReturnType<typeof takeTurns>,
): Promise<ChangeEvent | undefined> {
  if (!isEventKind(kind)) return undefined
  const seen = versions ? await difference(kind, versions, others) : { what: changeOf(what) }
  if (!seen || (kind === 'webhook' && !isDisabling(seen))) return undefined
  const type = typeOf(kind, seen)
  const changed = seen.what === 'updated' ? (seen.changed ?? fields) : []
  return {
    id: eventId(origin, { revision, kind, id }),
    type,
    at,
    revision,
    object: { kind, id },
    what: seen.what,
    ...(changed.length > 0 && { changed }),
  }
}

function changeOf(what: string): What {
  return what === 'created' || what === 'removed' ? what : 'updated'
}

type Difference = { what: What; changed?: string[]; now?: object | undefined; before?: object | undefined }

/** Becoming visible is being created, and becoming invisible is being removed. */
async function difference(
  kind: EventKind,
  versions: RecordVersions,
  others: ReturnType<typeof takeTurns>,
): Promise<Difference | undefined> {
  const { before, now } = await viewsOf(versions, views[kind] as (record: unknown) => object | undefined, others)
  if (!now) return before && { what: 'removed', before }
  // What an import finds wrong is listed, so a mirror has to get it; but nothing was raised.
  if (!before)
    return 'from_history' in now && now.from_history ? { what: 'updated', changed: [], now } : { what: 'created', now }
  const changed = topLevelNames(before, now).toSorted()
  return changed.length === 0 ? undefined : { what: 'updated', changed, now, before }
}

function isDisabling({ now }: Difference): boolean {
  return now !== undefined && 'disabled' in now
}

function typeOf(kind: EventKind, { what, now, before }: Difference): EventType {
  if (kind === 'invoice' && what === 'created') return 'invoice.issued'
  if (kind === 'webhook') return 'webhook.disabled'
  if (kind !== 'exception' || what === 'removed') return `${kind}.${what}` as EventType
  const isClosed = (of: object | undefined) => of !== undefined && 'state' in of && of.state === 'closed'
  if (isClosed(now) && !isClosed(before)) return 'exception.cleared'
  return what === 'created' ? 'exception.raised' : 'exception.updated'
}

/** The same for every delivery of an event. */
function eventId(origin: FeedOrigin, { revision, kind, id }: { revision: number; kind: string; id: string }): string {
  const content = JSON.stringify([origin.epoch, origin.account, revision, kind, id])
  return `evt_${revision}_${createHash('sha256').update(content).digest('base64url').slice(0, 22)}`
}
