import { ButtonLink } from '../../../ui/button.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import type { WorkItem } from './work-item.js'

type Subject = {
  account: string
  invoice?: string | undefined
  shipment?: string | undefined
  order?: string | undefined
}

/** What an item is about; messages of carriers and their codes are about nothing that is known. */
function subjectOf(item: WorkItem): Subject | undefined {
  switch (item.type) {
    case 'exception': {
      const { account, record } = item.exception
      const { invoice_reference: invoice, svc_shipment_id: shipment, po_number: order } = record
      return { account, invoice, shipment, order }
    }
    case 'document':
      return { account: item.document.account, shipment: item.document.proposal.svc_shipment_id }
    case 'conversation': {
      const { account, svc_shipment_id: shipment, po_number: order } = item.conversation
      return { account, shipment, order }
    }
    case 'order':
      return { account: item.order.account, order: item.order.reference }
    case 'request':
      return { account: item.request.account, shipment: item.request.shipment.svc_shipment_id }
    case 'needed':
      return { account: item.needed.account, shipment: item.needed.svc_shipment_id }
    case 'dispute':
      return { account: item.invoice.account, invoice: item.invoice.reference }
    default:
      return undefined
  }
}

/** The page of the invoice, shipment or order that an item is about, in this order. */
export function subjectPath(item: WorkItem): string | undefined {
  const { account = '', invoice, shipment, order } = subjectOf(item) ?? {}
  if (invoice !== undefined) return paths.invoice(account, invoice)
  if (shipment !== undefined) return paths.shipment(account, shipment)
  return order === undefined ? undefined : paths.order(account, order)
}

export function SubjectLink({ item }: { item: WorkItem }) {
  const { work: m } = useOfficeMessages()
  const path = subjectPath(item)
  if (path === undefined) return null
  const { invoice, shipment } = subjectOf(item) ?? {}
  const text = invoice !== undefined ? m.openInvoice : shipment !== undefined ? m.openShipment : m.openOrder
  return (
    <ButtonLink size="xs" variant="default" href={path}>
      {text} <kbd>o</kbd>
    </ButtonLink>
  )
}
