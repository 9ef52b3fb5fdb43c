import { IconChevronDown, IconChevronRight, IconCopy, IconTrash } from '@tabler/icons-react'
import { type ComponentProps, memo, type ReactNode, useState } from 'react'
import { currencies } from '../../../../src/contract/public/shared-types.js'
import { IconButton } from '../../../ui/button.js'
import { useMessages } from '../../i18n/messages.js'
import { type LineActions, type LineDraft, type LineField, linePointer, linePointers } from './order-draft.js'
import form from './order-form.module.css'
import { OrderLineDetails } from './order-line-details.js'
import styles from './order-lines.module.css'
import { lineColumns } from './pasted-lines.js'

type OrderLineRowProps = {
  line: LineDraft
  index: number
  /** Errors by JSON pointer relative to the line; undefined without any, so that `memo` works. */
  faults: Record<string, string> | undefined
  isOnly: boolean
  actions: LineActions
}

const numeric = new Set<LineField>(['ordered_quantity', 'price'])
const inTheRow = new Set<string>(lineColumns.map((field) => linePointers[field]))

/** A line as a table row; rarely used fields fold out below. */
export const OrderLineRow = memo(function OrderLineRow({ line, index, faults, isOnly, actions }: OrderLineRowProps) {
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
        actions.change(line.key, { [field]: event.currentTarget.value }, pointer),
      onBlur: () => actions.leave(pointer),
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
        <td className={styles.actions}>
          <IconButton
            aria-label={m.orderForm.details(position)}
            aria-expanded={isOpen}
            onClick={() => setDetails(!isOpen)}
          >
            {isOpen ? (
              <IconChevronDown size={18} stroke={1.6} aria-hidden="true" />
            ) : (
              <IconChevronRight size={18} stroke={1.6} aria-hidden="true" />
            )}
          </IconButton>
          <IconButton aria-label={m.orderForm.copyLine(position)} onClick={() => actions.copy(line.key)}>
            <IconCopy size={18} stroke={1.6} aria-hidden="true" />
          </IconButton>
          <IconButton
            aria-label={m.orderForm.removeLine(position)}
            disabled={isOnly}
            onClick={() => actions.remove(line, index)}
          >
            <IconTrash size={18} stroke={1.6} aria-hidden="true" />
          </IconButton>
        </td>
      </tr>
      {isOpen && (
        <tr className={styles.detailsRow}>
          <td colSpan={lineColumns.length + 1}>
            <OrderLineDetails line={line} index={index} faults={faults} actions={actions} inputOf={inputOf} />
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

// A bare input: an order may have hundreds of lines with seven fields each.
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
