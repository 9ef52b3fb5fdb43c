/** Paths of the portal's pages, at which the service serves the application. */
export const portalPages = [
  '/',
  '/shipments',
  '/shipments/{svc_shipment_id}',
  '/orders',
  '/orders/new',
  '/orders/upload',
  '/orders/{reference}',
  '/orders/{reference}/edit',
  '/invoices',
  '/invoices/{reference}',
  '/documents',
  '/locations',
  '/locations/{id}',
  '/developers',
  '/team',
  '/settings',
  '/sign-in',
  '/forgot',
  '/welcome',
  // Links in older e-mails.
  '/welcome/{token}',
] as const
