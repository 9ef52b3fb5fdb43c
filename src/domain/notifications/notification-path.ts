import type { Notification } from '../../contract/portal/notifications.js'

/** The page of the portal that shows what a notification is about. */
export function notificationPath(notification: Pick<Notification, 'type'> & Partial<Notification>): string {
  const { type, id, account, exception, svc_shipment_id, po_number, invoice_reference } = notification
  // For staff of the forwarder, in the office.
  if (account !== undefined) {
    const customer = encodeURIComponent(account)
    if (svc_shipment_id !== undefined)
      return `/office/shipments/${customer}/${encodeURIComponent(svc_shipment_id)}#messages`
    return po_number === undefined ? '/office' : `/office/orders/${customer}/${encodeURIComponent(po_number)}`
  }
  if (exception) {
    const query = new URLSearchParams({
      kind: exception.kind,
      state: exception.stage === 'cleared' ? 'closed' : 'open',
      ...(svc_shipment_id === undefined ? po_number !== undefined && { po_number } : { svc_shipment_id }),
    })
    return `/exceptions?${query.toString()}`
  }
  const [kind = ''] = type.split('.')
  if (id === undefined) return listPages[kind] ?? '/'
  if (invoice_reference !== undefined) return `/invoices/${encodeURIComponent(invoice_reference)}`
  const place = kind === 'message' ? '#messages' : ''
  if (svc_shipment_id !== undefined) return `/shipments/${encodeURIComponent(svc_shipment_id)}${place}`
  if (po_number !== undefined) return `/orders/${encodeURIComponent(po_number)}${place}`
  return listPages[kind] ?? '/'
}

const listPages: Record<string, string | undefined> = {
  shipment: '/shipments',
  tracking: '/shipments',
  purchase_order: '/orders',
  document: '/documents',
  document_proposal: '/documents',
  invoice: '/invoices',
}
