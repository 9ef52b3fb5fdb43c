import type { ProductLine } from '../../../src/contract/public/purchase-order.js'
import { recordPurchaseOrder } from '../../../src/domain/purchase-orders/purchase-order.js'

/** The rows of the lines of a request, without the order: each gets a reference and its position. */
export function linesOf(sent: ProductLine[]) {
  const { product_lines } = recordPurchaseOrder({ reference: '', product_lines: sent })
  return product_lines.map(({ reference, ordered_quantity, unit_price, volume, volume_unit, product }, index) => ({
    position: index + 1,
    reference,
    ordered_quantity,
    unit_price: unit_price?.amount,
    unit_price_currency: unit_price?.currency,
    volume,
    volume_unit,
    product_sku: product.sku,
    product_name: product.name,
    product_hs_code: product.hs_code,
    product_description: product.description,
    product_is_hazardous: product.is_hazardous === undefined ? undefined : String(product.is_hazardous) === 'true',
    product_hazardous_description: product.hazardous_description,
    product_custom_parameters: product.custom_parameters,
  }))
}
