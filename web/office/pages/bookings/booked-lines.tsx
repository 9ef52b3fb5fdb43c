import { IconX } from '@tabler/icons-react'
import { useFormat } from '../../../portal/i18n/format.js'
import { IconButton } from '../../../ui/button.js'
import { Field } from '../../../ui/field.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import styles from './bookings.module.css'
import type { UsedSelection } from './selection.js'

/** The lines that a new shipment brings, with what the service found wrong about each. */
export function BookedLines({ used, faults }: { used: UsedSelection; faults: Record<string, string> }) {
  const { bookings: m } = useOfficeMessages()
  const f = useFormat()
  const lines = Object.entries(used.selection.lines).map(([key, line], index) => ({ ...line, key, index }))
  const faultOf = (index: number) =>
    Object.entries(faults).find(
      ([pointer]) => pointer === `/order_lines/${index}` || pointer.startsWith(`/order_lines/${index}/`),
    )?.[1]
  return (
    <PlainTable
      label={m.lines}
      rows={lines}
      rowKey={({ key }) => key}
      columns={[
        {
          id: 'order',
          header: m.order,
          isName: true,
          cell: ({ reference }) => <span className="mono">{reference}</span>,
        },
        { id: 'line', header: m.line, cell: ({ line }) => line },
        { id: 'product', header: m.product, cell: ({ product }) => product },
        { id: 'open', header: m.open, align: 'right', cell: ({ open }) => f.number(open) },
        {
          id: 'quantity',
          header: m.book,
          align: 'right',
          cell: ({ key, reference, line, quantity, index }) => (
            <Field
              size="xs"
              className={styles.small}
              aria-label={m.quantityOf(m.lineOf(reference, line))}
              inputMode="decimal"
              value={quantity}
              error={faultOf(index)}
              onChange={(event) => used.setQuantity(key, event.currentTarget.value)}
            />
          ),
        },
        {
          id: 'remove',
          header: m.remove,
          isPlain: true,
          align: 'right',
          cell: ({ key, reference, line }) => (
            <IconButton aria-label={`${m.remove}: ${m.lineOf(reference, line)}`} onClick={() => used.remove(key)}>
              <IconX size={16} aria-hidden="true" />
            </IconButton>
          ),
        },
      ]}
    />
  )
}
