import { IconChevronDown, IconChevronRight, IconCopy, IconTrash } from '@tabler/icons-react'
import { type ComponentProps, memo, type ReactNode, useState } from 'react'
import { currencies } from '../../../contract/shared-types.js'
import { useMessages } from '../../i18n/messages.js'
import { type LineDraft, type LineField, linePointer, linePointers } from './order-draft.js'
import form from './order-form.module.css'
import { OrderLineDetails } from './order-line-details.js'
import styles from './order-lines.module.css'
import { lineColumns } from './pasted-lines.js'

export type LineActs = {
  change(key: string, changes: Partial<LineDraft>, pointer?: string): void
  copy(key: string): void
  remove(line: LineDraft, index: number): void
  leave(pointer: string): void
}

type OrderLineRowProps = {
  line: LineDraft
  index: number
  /** What is wrong in this line, by pointers from its beginning; the same object as long as nothing is. */
  faults: Record<string, string> | undefined
  isOnly: boolean
  acts: LineActs
}

const numeric = new Set<LineField>(['ordered_quantity', 'price'])
const inTheRow = new Set<string>(lineColumns.map((field) => linePointers[field]))

/** A line of the order as one row of a table, like the spreadsheet it may come from; what is seldom told folds out. */
export const OrderLineRow = memo(function OrderLineRow({ line, index, faults, isOnly, acts }: OrderLineRowProps) {
  const m = useMessages()
  const [wantsDetails, setDetails] = useState(false)
  const isOpen = wantsDetails || Object.keys(faults ?? {}).some((pointer) => !inTheRow.has(pointer))
  const position = index + 1

  const inputOf = (field: LineField) => {
    const pointer = linePointer(index, linePointers[field])
    return {
      name: pointer,
      'data-field': field,
      'data-line': index,
      'aria-label': m.orderForm.lineField(m.orderForm.fields[field], position),
      value: line[field],
      error: faults?.[linePointers[field]],
      onChange: (event: { currentTarget: { value: string } }) =>
        acts.change(line.key, { [field]: event.currentTarget.value }, pointer),
      onBlur: () => acts.leave(pointer),
    }
  }

  return (
    <>
      <tr className={styles.line}>
        {lineColumns.map((field) => (
          <td key={field} data-label={m.orderForm.fields[field]} className={styles[field]}>
            <Cell
              {...inputOf(field)}
              {...(numeric.has(field) && { inputMode: 'decimal', 'data-number': true })}
              {...(field === 'reference' && { placeholder: String(position) })}
            >
              {field === 'currency' &&
                ['', ...currencies].map((currency) => <option key={currency}>{currency}</option>)}
            </Cell>
          </td>
        ))}
        <td className={styles.acts}>
          <Act label={m.orderForm.details(position)} aria-expanded={isOpen} onClick={() => setDetails(!isOpen)}>
            {isOpen ? <IconChevronDown size={18} stroke={1.6} /> : <IconChevronRight size={18} stroke={1.6} />}
          </Act>
          <Act label={m.orderForm.copyLine(position)} onClick={() => acts.copy(line.key)}>
            <IconCopy size={18} stroke={1.6} />
          </Act>
          <Act label={m.orderForm.removeLine(position)} disabled={isOnly} onClick={() => acts.remove(line, index)}>
            <IconTrash size={18} stroke={1.6} />
          </Act>
        </td>
      </tr>
      {isOpen && (
        <tr className={styles.detailsRow}>
          <td colSpan={lineColumns.length + 1}>
            <OrderLineDetails line={line} index={index} faults={faults} acts={acts} inputOf={inputOf} />
          </td>
        </tr>
      )}
    </>
  )
})

type CellProps = Omit<ComponentProps<'input'>, 'onChange'> & {
  error: string | undefined
  onChange(event: { currentTarget: { value: string } }): void
  children: ReactNode
}

// The browser's own: an order may have hundreds of lines, and each has seven of them.
function Cell({ error, children, ...rest }: CellProps) {
  const id = `fault ${rest.name}`.replaceAll(/\W+/g, '-')
  const common = {
    ...rest,
    className: styles.cell,
    'aria-invalid': error !== undefined,
    ...(error !== undefined && { 'aria-describedby': id }),
  }
  return (
    <>
      {children ? (
        <select {...(common as ComponentProps<'select'>)}>{children}</select>
      ) : (
        <input {...common} type="text" autoComplete="off" />
      )}
      {error !== undefined && (
        <p id={id} className={form.fault}>
          {error}
        </p>
      )}
    </>
  )
}

function Act({ label, ...rest }: ComponentProps<'button'> & { label: string }) {
  return <button type="button" className={styles.act} aria-label={label} {...rest} />
}
