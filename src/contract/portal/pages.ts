/** Paths of the portal's pages, at which the service serves the application. */
export const portalPages = [
  '/',
  '/exceptions',
  '/shipments',
  '/shipments/{svc_shipment_id}',
  '/orders',
  '/orders/new',
  '/orders/upload',
  '/orders/{reference}',
  '/orders/{reference}/edit',
  '/inbound',
  '/invoices',
  '/invoices/{reference}',
  '/documents',
  '/locations',
  '/locations/{id}',
  '/developers',
  '/team',
  '/audit',
  '/notifications',
  '/settings',
  '/sign-in',
  '/enrol',
  '/forgot',
  '/welcome',
  '/supply',
  '/share',
  '/track',
  '/viewing',
  // Links in older e-mails.
  '/welcome/{token}',
] as const

/** Opened by a link with a secret: these send no referrer at all. */
export const linkedPages: readonly string[] = ['/supply', '/share', '/viewing']

/** Those of the office, for operators: an application of its own. */
export const officePages = [
  '/office',
  '/office/shipments',
  '/office/shipments/{account}/{svc_shipment_id}',
  '/office/shipments/grid',
  '/office/billing',
  '/office/billing/bank-list',
  '/office/billing/ageing',
  '/office/billing/settings',
  '/office/billing/invoices/{account}/{reference}',
  '/office/feeds',
  '/office/webhooks',
  '/office/customers',
  '/office/customers/{account}',
  '/office/settings',
  '/office/profile',
  '/office/sign-in',
  '/office/enrol',
  '/office/forgot',
  '/office/welcome',
] as const
