/** Example requests about order lines of shipments: see examples.ts. */

const account = 'nordlicht'
const shipment = { account, svc_shipment_id: 'SHP-MYXAAF' }
const line = { reference: 'PO/2026/0117', line: '10' }
const assigned = { ...shipment, ...line }

export const bookingExamples = {
  findOpenOrders: { query: { account, q: 'lamp', take: 20 } },
  assign: { params: assigned, body: { assigned_quantity: 1000 } },
  pack: {
    params: assigned,
    body: {
      shipped_order_lines: [
        {
          container_number: 'TGHU7599330',
          shipped_quantity: 700,
          packaging_type: 'pallet',
          number_of_packages: 28,
          gross_weight: 8680,
          weight_unit: 'kg',
        },
        { container_number: 'CSQU3054383', shipped_quantity: 300 },
      ],
    },
  },
  addOrderLines: { params: shipment, body: { order_lines: [{ ...line, assigned_quantity: 100 }] } },
  listOrderLines: { params: shipment },
}
