import type { ExceptionVersion } from '../../../../src/contract/operator/exceptions.js'
import type { WorkItem as Handled, NamedWorkItem, WorkActing } from '../../../../src/contract/operator/work.js'
import { type Actions, actOnExceptions, inBatches, type Outcome, undoOf } from '../../actions/use-actions.js'
import { ops } from '../../api/ops.js'
import type { OfficeMessages } from '../../i18n/messages.js'
import type { WorkItem } from './work-item.js'

/** Who looks after an item, and until when it is put aside. Exceptions have both themselves; of the others it is stored beside them. */

export type Handling = { action: 'assign'; owner: string } | { action: 'snooze'; until: string } | { action: 'wake' }

type Other = Exclude<WorkItem, { type: 'exception' }>

/** As `/ops/v1/work/items` names it. */
export function namedOf(item: Other): NamedWorkItem {
  switch (item.type) {
    case 'message':
      return { kind: 'message', item: String(item.message.message_id) }
    case 'code': {
      const { sender, format, code } = item.code
      return { kind: 'code', item: `${sender}/${format}/${code}` }
    }
    case 'document':
      return { account: item.document.account, kind: 'document', item: item.document.proposal.id }
    case 'conversation': {
      const { account, svc_shipment_id, po_number } = item.conversation
      const about = svc_shipment_id === undefined ? `purchase_order/${po_number}` : `shipment/${svc_shipment_id}`
      return { account, kind: 'conversation', item: about }
    }
    case 'order':
      return { account: item.order.account, kind: 'order', item: item.order.reference }
    case 'request':
      return { account: item.request.account, kind: 'booking_request', item: item.request.shipment.svc_shipment_id }
    case 'needed':
      return { account: item.needed.account, kind: 'needed_documents', item: item.needed.svc_shipment_id }
    case 'dispute':
      return { account: item.invoice.account, kind: 'dispute', item: item.invoice.reference }
  }
}

function keyOf({ account = '', kind, item }: NamedWorkItem): string {
  return `${account} ${kind} ${item}`
}

/** The items with their owners and until when they are put aside. */
export function withHandling(items: WorkItem[], handled: Handled[]): WorkItem[] {
  if (handled.length === 0) return items
  const known = new Map(handled.map((each) => [keyOf(each), each]))
  return items.map((item) => {
    const found = item.type === 'exception' ? undefined : known.get(keyOf(namedOf(item)))
    return found
      ? { ...item, owner: found.owner, snoozedUntil: found.snoozed_until, due: found.snoozed_until ?? item.due }
      : item
  })
}

/** Of one or several, of any kind. */
export function handleItems(
  { run, act }: Actions,
  m: OfficeMessages['work'],
  items: WorkItem[],
  handling: Handling,
): Promise<boolean> {
  const exceptions = items.flatMap((item) => (item.type === 'exception' ? [item.exception] : []))
  const others = items.flatMap((item) => (item.type === 'exception' ? [] : [item]))
  if (others.length === 0) return act(exceptions, handling)
  return run(() => handleAll(m, exceptions, others, handling))
}

async function handleAll(
  m: OfficeMessages['work'],
  exceptions: ExceptionVersion[],
  others: Other[],
  handling: Handling,
): Promise<Outcome> {
  const [ofExceptions, ofOthers] = [await actOnExceptions(exceptions, handling), await actOnOthers(others, handling)]
  const refused = [...ofExceptions, ...ofOthers].filter(({ outcome }) => outcome === 'refused')
  const isChanged = (outcomes: { outcome: string }[]) => (_: unknown, index: number) =>
    outcomes[index]?.outcome !== 'refused'
  const changed = exceptions.filter(isChanged(ofExceptions))
  const changedOthers = others.filter(isChanged(ofOthers))
  const count = changed.length + changedOthers.length
  const parts = [
    ...(count > 0 ? [m.handled[handling.action](count)] : []),
    ...(refused.length > 0 ? [m.notHandled(refused.length, refused[0]?.detail ?? '')] : []),
  ]
  const undo = async () => {
    if (changed.length > 0) await undoOf(changed, handling)?.()
    await restore(changedOthers, handling)
  }
  return { text: parts.join(' '), undo: count > 0 ? undo : undefined }
}

async function actOnOthers(items: Other[], handling: Handling) {
  return inBatches(items, async (some) => {
    const body: WorkActing = { ...handling, items: some.map(namedOf) }
    return (await ops.actOnWorkItems({ body })).outcomes
  })
}

/** As the items were before. */
async function restore(items: Other[], { action }: Handling): Promise<void> {
  const before = (item: Other) => (action === 'assign' ? (item.owner ?? '') : (item.snoozedUntil ?? ''))
  for (const value of new Set(items.map(before))) {
    const same = items.filter((item) => before(item) === value)
    if (action === 'assign') await actOnOthers(same, { action, owner: value })
    else await actOnOthers(same, value === '' ? { action: 'wake' } : { action: 'snooze', until: value })
  }
}
