/** Refusals of changes to shipments. */
export const shipmentRefusals = {
  shipment_exists: {
    status: 409,
    title: 'The shipment exists already',
    explanation: 'The account has a shipment with this `svc_shipment_id`. Nothing was changed.',
    remedy: 'Replace it with `PUT`, or omit the identifier: one is generated.',
  },
  shipment_changed: {
    status: 409,
    title: 'The shipment has changed meanwhile',
    explanation:
      'The request names the `revision` it is based on, and the shipment has a newer one. Nothing was changed.',
    remedy: 'Get the shipment again, compare the fields, and send the change with its present `revision`.',
  },
} as const
