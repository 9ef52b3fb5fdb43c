/** Refusals of writes of purchase orders. */
export const orderRefusals = {
  purchase_order_exists: {
    status: 409,
    title: 'The purchase order exists already',
    explanation: 'The account has a purchase order with this `reference`. Nothing was changed.',
    remedy: 'Update it with `PATCH /v1/purchaseOrders`, or create one with another reference.',
  },
  purchase_order_assigned: {
    status: 409,
    title: 'The purchase order is assigned to a shipment',
    explanation:
      'An order can no longer be updated once one of its lines is assigned to a shipment, nor cancelled while a shipment that is not cancelled is to bring it. Nothing was changed.',
    remedy: 'Ask your forwarder to remove the order from the shipment, or create another order.',
  },
  purchase_order_cancelled: {
    status: 409,
    title: 'The purchase order is cancelled',
    explanation: 'A cancelled order can be neither changed nor assigned to a shipment. Nothing was changed.',
    remedy: 'Create another order.',
  },
} as const
