import { IconPlus, IconX } from '@tabler/icons-react'
import type { ClipboardEvent } from 'react'
import { type ContainerType, containerTypes } from '../../../../src/contract/public/shipment.js'
import {
  containerCheckDigit,
  hasContainerForm,
  isContainerNumber,
} from '../../../../src/domain/shipments/container-number.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import { Button, IconButton } from '../../../ui/button.js'
import { clipboardCells } from '../../../ui/clipboard-cells.js'
import { Field, SelectField } from '../../../ui/field.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import type { UnitRow } from './unit-rows.js'
import styles from './units.module.css'

/** A warning about a number in the form of a container number. Others are refused when they are saved. */
export function useNumberWarning(): (number: string) => string | undefined {
  const { file: m } = useOfficeMessages()
  return (number) =>
    hasContainerForm(number) && !isContainerNumber(number)
      ? m.checkDigit(String(containerCheckDigit(number.slice(0, 10))))
      : undefined
}

type Props = { rows: UnitRow[]; faults: Record<string, string>; onChange: (rows: UnitRow[]) => void }

/** One row a unit. Columns of a spreadsheet can be pasted into numbers and seals. */
export function UnitFields({ rows, faults, onChange }: Props) {
  const { file: m, bookings } = useOfficeMessages()
  const { statuses } = useMessages()
  const warningOf = useNumberWarning()
  const set = (index: number, changed: Partial<UnitRow>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...changed } : row)))
  const blank = (): UnitRow => ({ type: rows.at(-1)?.type ?? 'forty_foot_highcube_standard', number: '', seal: '' })

  const paste = (event: ClipboardEvent, index: number, column: 'number' | 'seal') => {
    const cells = clipboardCells(event.clipboardData.getData('text/plain'))
    if (cells.length < 2 && (cells[0]?.length ?? 0) < 2) return
    event.preventDefault()
    const next = rows.slice()
    for (const [down, [first = '', second]] of cells.entries()) {
      const row = next[index + down] ?? blank()
      const number = first.trim().toUpperCase()
      const pasted =
        column === 'seal' ? { seal: first.trim() } : { number, ...(second !== undefined && { seal: second.trim() }) }
      next[index + down] = { ...row, ...pasted }
    }
    onChange(next)
  }

  return (
    <div className={styles.units}>
      <div className={styles.heads} aria-hidden="true">
        <span>{m.number}</span>
        <span>{m.type}</span>
        <span>{m.seal}</span>
      </div>
      {rows.map((row, index) => {
        const place = bookings.unit(index + 1)
        const number = row.number.trim()
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: units have no other identity
          <div key={index} className={styles.unit} role="group" aria-label={place}>
            <Field
              aria-label={`${m.number}, ${place}`}
              className={styles.number}
              placeholder={bookings.numberLater}
              autoComplete="off"
              maxLength={64}
              data-autofocus={index === 0 || undefined}
              value={row.number}
              error={faults[`/cargo/containers/${index}/container_number`]}
              description={warningOf(number) && <span className={styles.warning}>{warningOf(number)}</span>}
              onPaste={(event) => paste(event, index, 'number')}
              onChange={(event) => set(index, { number: event.currentTarget.value.toUpperCase() })}
            />
            <SelectField
              aria-label={`${m.type}, ${place}`}
              value={row.type}
              options={[
                { value: '', label: bookings.notChosen },
                ...containerTypes.map((value: ContainerType) => ({
                  value: value as string,
                  label: statuses.containerType[value],
                })),
              ]}
              onChange={(type) => set(index, { type })}
            />
            <Field
              aria-label={`${m.seal}, ${place}`}
              autoComplete="off"
              placeholder={m.sealLater}
              value={row.seal}
              maxLength={200}
              error={faults[`/cargo/containers/${index}/seal_number`]}
              onPaste={(event) => paste(event, index, 'seal')}
              onChange={(event) => set(index, { seal: event.currentTarget.value })}
            />
            <IconButton
              aria-label={`${bookings.remove}: ${number || place}`}
              title={bookings.remove}
              onClick={() => onChange(rows.filter((_, at) => at !== index))}
            >
              <IconX size={16} aria-hidden="true" />
            </IconButton>
          </div>
        )
      })}
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden="true" />}
        onClick={() => onChange([...rows, blank()])}
      >
        {bookings.addUnit}
      </Button>
    </div>
  )
}
