import type { OrderSheetCheck } from '../../../../src/contract/portal/order-sheet.js'
import { orderHeadings } from '../../../../src/domain/purchase-orders/order-headings.js'
import { SelectField } from '../../../ui/field.js'
import { Section } from '../../../ui/section.js'
import type { OrderSheet } from '../../api/client.js'
import { useMessages, useReader } from '../../i18n/messages.js'
import styles from './order-upload.module.css'

type Props = { check: OrderSheetCheck; sheet: OrderSheet; onChange(sheet: OrderSheet): void }

// The values of the choice that are no column.
const [open, ignored] = ['?', '-']

/** Assigns columns that are not recognised, and the order of day and month. Nothing is left out unless people say so. */
export function SheetColumns({ check, sheet, onChange }: Props) {
  const m = useMessages().orderUpload
  const { language } = useReader()
  const { columns, dates } = sheet
  const headings = [...new Set([...Object.keys(columns), ...check.unknown_columns])]
  const isOrderOpen = dates !== undefined || check.faults.some(({ detail }) => detail.startsWith('could have the day'))
  const choices = [
    { value: open, label: m.columns.open },
    { value: ignored, label: m.columns.ignore },
    ...check.fields.map((name) => ({ value: name, label: orderHeadings[name]?.[language][0] ?? name })),
  ]

  function assign(heading: string, value: string): void {
    const { [heading]: _before, ...others } = columns
    const chosen = value === ignored ? '' : value
    onChange({ ...sheet, columns: value === open ? others : { ...others, [heading]: chosen } })
  }

  return (
    <>
      {headings.length > 0 && (
        <Section title={m.columns.title}>
          <p className="small soft">{m.columns.lead}</p>
          <div className={styles.mapping}>
            {headings.map((heading) => (
              <SelectField
                key={heading}
                label={heading}
                value={columns[heading] === '' ? ignored : (columns[heading] ?? open)}
                options={choices}
                onChange={(value) => assign(heading, value)}
              />
            ))}
          </div>
        </Section>
      )}
      {isOrderOpen && (
        <Section title={m.dates.title}>
          <SelectField
            label={m.dates.label}
            value={dates ?? open}
            options={[
              { value: open, label: m.columns.open },
              { value: 'day-month', label: m.dates.dayMonth },
              { value: 'month-day', label: m.dates.monthDay },
            ]}
            onChange={(value) =>
              onChange({ ...sheet, dates: value === open ? undefined : (value as OrderSheet['dates']) })
            }
          />
        </Section>
      )}
      {check.warnings.length > 0 && (
        <Section title={m.warnings} aside={String(check.warnings.length)}>
          <ul className={styles.faultLinks}>
            {check.warnings.slice(0, 20).map(({ row, column, sheet: name, detail }) => (
              <li key={`${name} ${row} ${column} ${detail}`}>
                {m.place(row, column)}: {detail}
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}
