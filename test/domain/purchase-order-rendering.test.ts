import { expect, test } from 'vitest'
import {
  Product,
  PurchaseOrder,
  type PurchaseOrderCreate,
  PurchaseOrderLine,
} from '../../src/contract/public/purchase-order.js'
import { recordPurchaseOrder, renderPurchaseOrder } from '../../src/domain/purchase-orders/purchase-order.js'

/** Equal orders are rendered to the same bytes: fields are in the order of the interface, whatever their order in the request. */

const whole: PurchaseOrderCreate = {
  desired_delivery_date: '2027-01-02',
  desired_ex_factory_date: '2026-12-01',
  custom_parameters: [{ name: 'season', value: 'winter' }],
  supplier_id: 'Fabrika',
  product_lines: [
    {
      unit_price: { amount: 2, currency: 'EUR' },
      ordered_quantity: 3,
      product: {
        custom_parameters: [{ name: 'colour', value: 'red' }],
        hazardous_description: 'burns',
        is_hazardous: true,
        description: 'long',
        hs_code: '3303.00',
        name: 'short',
        sku: 'S-1',
      },
      reference: '10',
    },
  ],
  reference: 'P-1',
}

test('an order with all fields is rendered in the order of the interface', () => {
  const rendered = JSON.parse(JSON.stringify(renderPurchaseOrder(recordPurchaseOrder(whole), []))) as PurchaseOrder
  const [line] = rendered.purchase_order_lines
  expect(Object.keys(rendered)).toEqual(Object.keys(PurchaseOrder.properties))
  expect(Object.keys(line ?? {})).toEqual(Object.keys(PurchaseOrderLine.properties))
  expect(Object.keys(line?.product ?? {})).toEqual(Object.keys(Product.properties))
  expect(line?.product.is_hazardous).toBe('true')
})

test('missing fields are left out', () => {
  const short = { reference: 'P-1', product_lines: [{ ordered_quantity: 1, product: { sku: 'S-1' } }] }
  expect(JSON.stringify(renderPurchaseOrder(recordPurchaseOrder(short), []))).toBe(
    '{"po_number":"P-1","purchase_order_lines":[{"reference":"1","product":{"sku":"S-1"},"ordered_quantity":1,"assigned_order_lines":[]}]}',
  )
})
