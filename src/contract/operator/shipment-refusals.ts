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
  assignment_changed: {
    status: 409,
    title: 'The assignment has changed meanwhile',
    explanation:
      'The request names the `revision` it is based on, and what is assigned of the order line to the shipment has a newer one. Nothing was changed.',
    remedy: 'List the order lines of the shipment again, compare, and send the change with the present `revision`.',
  },
  tracking_changed: {
    status: 409,
    title: 'The plan or a pinned date of the tracking has changed meanwhile',
    explanation:
      'The request names the `revision` it is based on, and the tracking has a newer one. Nothing was changed.',
    remedy: 'Get the tracking again, compare the steps and pins, and send the change with its present `revision`.',
  },
  event_changed: {
    status: 409,
    title: 'The event has changed meanwhile',
    explanation: 'The request names the `revision` it is based on, and the event has a newer one. Nothing was changed.',
    remedy: 'Get the tracking again, compare the event, and send the change with its present `revision`.',
  },
  dates_changed: {
    status: 409,
    title: 'Dates of the tracking have changed meanwhile',
    explanation:
      'The request names the date that each event had, and one has another date, is not expected any more, or was retracted. Nothing was changed.',
    remedy: 'Get the tracking again, and choose the events again.',
  },
  transition_not_allowed: {
    status: 409,
    title: 'The status transition is not allowed',
    explanation: 'The current status does not allow this transition. `detail` lists the allowed ones.',
    remedy: 'Choose one of the allowed statuses; for a shipment, an explicit correction may set any.',
  },
  shipment_cancelled: {
    status: 409,
    title: 'The shipment is cancelled',
    explanation: 'Nothing can be assigned to a cancelled shipment. Nothing was changed.',
    remedy: 'Assign to another shipment, or correct the status first.',
  },
  container_packed: {
    status: 409,
    title: 'A container with packed order lines cannot be removed',
    explanation: 'Shipped lines refer to a container that the request removes. Nothing was changed.',
    remedy: 'Keep the container, or pack its order lines elsewhere first.',
  },
  container_has_events: {
    status: 409,
    title: 'A container with events cannot be removed',
    explanation: 'Tracking events refer to a container that the request removes. Nothing was changed.',
    remedy: 'Keep the container, or correct or retract its events first.',
  },
} as const
