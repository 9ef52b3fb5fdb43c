import type { PurchaseOrder } from '../../../contract/purchase-order.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { FilterMenu } from '../../parts/filter-menu.js'

type Props = {
  value: string | undefined
  orders: PurchaseOrder[]
  onChange(value: string | undefined): void
}

/** By supplier: those of the orders that have been looked at; any other is found by its words. */
export function SupplierFilter({ value, orders, onChange }: Props) {
  const m = useMessages().orders
  const { locale } = useFormat()
  const names = new Set(orders.flatMap(({ supplier_name }) => supplier_name || []))
  if (value !== undefined) names.add(value)
  const options = [...names]
    .toSorted((one, other) => one.localeCompare(other, locale))
    .map((name) => ({ value: name, label: name }))
  return <FilterMenu label={m.supplier} value={value} options={options} onChange={onChange} />
}
