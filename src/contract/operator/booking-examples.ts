/** Example requests of the booking desk: see examples.ts. */

const account = 'nordlicht'
const shipment = { account, svc_shipment_id: 'SHP-MYXAAF' }

export const bookingExamples = {
  findOpenOrders: { query: { account, q: 'lamp', take: 20 } },
  addOrderLines: {
    params: shipment,
    body: { order_lines: [{ reference: 'PO/2026/0117', line: '10', assigned_quantity: 200 }] },
  },
  listOrderLines: { params: shipment },
}
