import type { PurchaseOrderCreate } from '../src/contract/public/purchase-order.js'
import type { Random } from '../src/sandbox/random.js'

/** A load generator replaces it by another number in each request: as long as the number, and needs no escaping anywhere. */
export const uniqueMarker = 'Q8Z7Q8Z7Q8Z7'

const products = [
  ['PRF-EDP-50', 'Eau de parfum 50 ml', '3303.00'],
  ['LMP-LED-09', 'LED lamp 9 W, warm white', '8539.52'],
  ['TSH-ORG-M', 'T-shirt, organic cotton, size M', '6109.10'],
  ['CHR-OAK-02', 'Chair, oak, unfolded', '9401.69'],
  ['PMP-CEN-40', 'Centrifugal pump 40 mm', '8413.70'],
] as const

/** An order of ten lines. */
export function tenLineOrder(reference: string, supplier_id: string, random: Random): PurchaseOrderCreate {
  return {
    reference,
    supplier_id,
    product_lines: Array.from({ length: 10 }, (_, index) => {
      const [sku, name, hs_code] = random.pick(products)
      return {
        reference: String(10 * (index + 1)),
        product: {
          sku: `${sku}-${index}`,
          name,
          hs_code,
          description: `${name}, packed for export`,
          is_hazardous: 'false' as const,
        },
        ordered_quantity: random.integer(10, 5000),
        unit_price: { amount: random.decimal(1, 90), currency: 'USD' as const },
      }
    }),
    custom_parameters: [{ name: 'Buyer', value: random.pick(['E. Lefèvre', 'P. Shah', 'J. Weiß']) }],
    desired_ex_factory_date: daysFromNow(40),
    desired_delivery_date: daysFromNow(80),
  }
}

/** Orders are placed for the future: dates that have passed would raise an exception for each. */
function daysFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
}
