import type { AssignmentData } from '../contract/import-line.js'
import type { ProductLine, PurchaseOrderCreate, ShippedLine } from '../contract/public/purchase-order.js'
import type { Currency, Price } from '../contract/public/shared-types.js'
import type { Container } from '../contract/public/shipment.js'
import { currencyDigits } from '../domain/invoices/money.js'
import type { SandboxAccount, Supplier } from './account.js'
import { type Packed, tenths, thousandths } from './cargo.js'
import { countryOf } from './countries.js'
import { minorUnits, multiply, price } from './currencies.js'
import type { Goods, SampleProduct } from './goods.js'
import type { Random } from './random.js'

/** Purchase orders, and the quantities that are assigned to a shipment. */

// The open quantity of an order line: a later shipment of the same supplier may take it.
type Balance = { reference: string; line: string; product: SampleProduct; left: number; unitPrice: Price }

/** The state that the orders of an account share; its size does not grow with their number. */
export type OrderBook = { next: number; style: OrderStyle; balances: Map<Supplier, Balance> }

const styles = ['slashes', 'hyphens', 'number', 'buyer'] as const
type OrderStyle = (typeof styles)[number]

export function openOrderBook(account: SandboxAccount, style?: OrderStyle): OrderBook {
  return { next: 1, style: style ?? account.random.stream('orders').pick(styles), balances: new Map() }
}

function nextReference(book: OrderBook, year: string): string {
  const number = String(book.next++).padStart(4, '0')
  switch (book.style) {
    case 'slashes':
      return `PO/${year}/${number}`
    case 'hyphens':
      return `PO-${year}-${number}`
    case 'number':
      return `45${year.slice(2)}${number.padStart(6, '0')}`
    case 'buyer':
      return `B${year.slice(2)}.${number}`
  }
}

type OrderDates = { supplier: Supplier; exFactory: string; delivery: string }
type OrderSpec = OrderDates & { svc_shipment_id: string; packed: Packed; shipped: boolean }

type Ordered = { orders: PurchaseOrderCreate[]; assignments: AssignmentData[]; value: Price }

export function orderGoods(book: OrderBook, spec: OrderSpec, random: Random): Ordered {
  const { supplier, packed } = spec
  const currency = random.chance(0.7) ? 'USD' : countryOf(supplier.city.country).currency
  const shares = drawShares(random.integer(1, 4), random)
  const orders: PurchaseOrderCreate[] = []
  const assignments: AssignmentData[] = []
  const wanted = random.chance(0.88)
  let value = 0
  let order: PurchaseOrderCreate | undefined
  let balance = book.balances.get(supplier)

  shares.forEach((share, position) => {
    // The goods weigh a little less than the packed loads.
    const netKg = packed.kg * share * 0.92
    const product = fittingProduct(supplier.goods, netKg, position)
    if (!product || !wanted) {
      const first = supplier.goods.products[0]!
      value += minorUnits((netKg / first.unitKg) * first.unitDollars, currency)
      return
    }
    const quantity = Math.floor(netKg / product.unitKg)
    if (balance && balance.product === product && balance.left >= quantity && balance.unitPrice.currency === currency) {
      balance.left -= quantity
      if (balance.left === 0) book.balances.delete(supplier)
      value += multiply(minorOf(balance.unitPrice, currency), quantity)
      assignments.push(assignment(balance.reference, balance.line, quantity, share, product, spec, random))
      // A line can be assigned to a shipment only once.
      balance = undefined
      return
    }
    if (!order || random.chance(0.25)) {
      order = newOrder(book, spec, random)
      orders.push(order)
    }
    const ordered = random.chance(0.9) ? quantity : Math.ceil(quantity * random.decimal(1.1, 2.2))
    const line = orderLine(order, product, supplier.goods, ordered, currency, random)
    order.product_lines.push(line)
    value += multiply(minorOf(line.unit_price!, currency), quantity)
    if (ordered > quantity) {
      book.balances.set(supplier, {
        reference: order.reference,
        line: line.reference!,
        product,
        left: ordered - quantity,
        unitPrice: line.unit_price!,
      })
    }
    assignments.push(assignment(order.reference, line.reference!, quantity, share, product, spec, random))
  })
  return { orders, assignments, value: price(value, currency) }
}

/** An order without shipments. */
export function orderAhead(book: OrderBook, spec: OrderDates, random: Random): PurchaseOrderCreate {
  const order = newOrder(book, spec, random)
  for (const product of spec.supplier.goods.products.slice(0, random.integer(1, 3))) {
    const quantity = Math.max(1, Math.round(random.integer(200, 6000) / Math.max(1, product.unitKg)))
    order.product_lines.push(orderLine(order, product, spec.supplier.goods, quantity, 'USD', random))
  }
  return order
}

const parameters = [
  ['Season', ['SS26', 'AW26', 'Permanent']],
  ['Buyer', ['E. Lefèvre', 'P. Shah', 'J. Weiß']],
  ['Cost centre', ['4100', '4230', '4711']],
  ['Priority', ['normal', 'high']],
] as const

function newOrder(book: OrderBook, { supplier, exFactory, delivery }: OrderDates, random: Random): PurchaseOrderCreate {
  const custom = parameters.filter(() => random.chance(0.3))
  return {
    reference: nextReference(book, exFactory.slice(0, 4)),
    supplier_id: supplier.location.company_name!,
    product_lines: [],
    ...(custom.length > 0 && {
      custom_parameters: custom.map(([name, values]) => ({ name, value: random.pick<string>(values) })),
    }),
    desired_ex_factory_date: exFactory,
    desired_delivery_date: delivery,
  }
}

function orderLine(
  order: PurchaseOrderCreate,
  product: SampleProduct,
  goods: Goods,
  quantity: number,
  currency: Currency,
  random: Random,
): ProductLine {
  const minor = Math.max(1, Math.round(minorUnits(product.unitDollars, currency) * random.decimal(0.9, 1.15)))
  return {
    reference: String((order.product_lines.length + 1) * 10),
    product: {
      sku: product.sku,
      name: product.name,
      hs_code: product.hs,
      description: goods.description,
      is_hazardous: goods.hazard ? 'true' : 'false',
      ...(goods.hazard && { hazardous_description: goods.hazard }),
    },
    ordered_quantity: quantity,
    unit_price: price(minor, currency),
    ...(random.chance(0.5) && {
      volume: thousandths((quantity * product.unitKg) / goods.density[0]),
      volume_unit: 'cbm' as const,
    }),
  }
}

function assignment(
  reference: string,
  line: string,
  quantity: number,
  share: number,
  product: SampleProduct,
  spec: OrderSpec,
  random: Random,
): AssignmentData {
  const data: AssignmentData = { reference, line, svc_shipment_id: spec.svc_shipment_id, assigned_quantity: quantity }
  if (!spec.shipped) return data
  // Sometimes the supplier delivers a few pieces less.
  const shipped = random.chance(0.1) ? Math.max(1, Math.floor(quantity * random.decimal(0.9, 0.99))) : quantity
  return { ...data, shipped_order_lines: shippedLines(shipped, share, product, spec) }
}

function shippedLines(
  quantity: number,
  share: number,
  product: SampleProduct,
  { packed, supplier }: OrderSpec,
): ShippedLine[] {
  const containers: (Container | undefined)[] = packed.containers.length > 0 ? packed.containers : [undefined]
  const pounds = packed.weight / packed.kg
  const each = share / containers.length
  let left = quantity
  return containers.flatMap((container, index) => {
    const inThis = Math.ceil(left / (containers.length - index))
    if (inThis === 0) return []
    left -= inThis
    return {
      ...(container?.container_number && { container_number: container.container_number }),
      shipped_quantity: inThis,
      packaging_total_volume: floorTo(packed.volume * each, 1000),
      number_of_packages: Math.max(1, Math.floor(packed.packages * each)),
      packaging_type: supplier.goods.packaging,
      net_weight: tenths(Math.min(inThis * product.unitKg * pounds, packed.weight * each)),
      gross_weight: tenths(packed.weight * each),
      volume_unit: 'cbm' as const,
      weight_unit: packed.cargo.total_weight!.unit,
    }
  })
}

function fittingProduct({ products }: Goods, kg: number, position: number): SampleProduct | undefined {
  const fitting = products.filter(({ unitKg }) => unitKg <= kg)
  return fitting[position % Math.max(1, fitting.length)]
}

function drawShares(count: number, random: Random): number[] {
  const parts = Array.from({ length: count }, () => random.decimal(0.5, 1.5))
  const whole = parts.reduce((sum, part) => sum + part, 0)
  return parts.map((part) => part / whole)
}

function minorOf({ amount }: Price, currency: Currency): number {
  return Math.round(amount * 10 ** currencyDigits(currency))
}

function floorTo(value: number, factor: number): number {
  return Math.floor(value * factor) / factor
}
