import { IconPlus, IconX } from '@tabler/icons-react'
import type { BillingSettings } from '../../../../src/contract/billing.js'
import type { Language } from '../../../../src/contract/portal/people.js'
import { type Currency, currencies } from '../../../../src/contract/public/shared-types.js'
import { Button, IconButton } from '../../../ui/button.js'
import { presentDay } from '../../../ui/clock.js'
import { Field, SelectField } from '../../../ui/field.js'
import { typedNumber } from '../../actions/typed-number.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import styles from './billing.module.css'

export type RateRow = { currency: Currency; rate: string; date: string }

export function rateRowsOf({ rates = [] }: BillingSettings): RateRow[] {
  return rates.map(({ rate, ...rest }) => ({ ...rest, rate: String(rate) }))
}

/** Without an accounting currency there is nothing to convert to. */
export function ratesOf(
  rows: RateRow[],
  { accounting_currency }: BillingSettings,
  language: Language,
): Pick<BillingSettings, 'rates'> {
  if (accounting_currency === undefined || rows.length === 0) return { rates: [] }
  return { rates: rows.map(({ rate, ...rest }) => ({ ...rest, rate: typedNumber(rate, language) ?? 0 })) }
}

type Props = {
  currency: Currency | undefined
  rows: RateRow[]
  faults: Record<string, string>
  isReadOnly: boolean
  onChange: (rows: RateRow[]) => void
}

/** What one unit of a currency is worth in the accounting currency, from a day on. */
export function Rates({ currency, rows, faults, isReadOnly, onChange }: Props) {
  const { billing: m } = useOfficeMessages()
  if (currency === undefined) return <p className="soft">{m.set.noAccounting}</p>
  const set = (index: number, changed: Partial<RateRow>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...changed } : row)))
  const missing = currencies.find((each) => each !== currency && !rows.some((row) => row.currency === each))
  const today = presentDay()
  return (
    <div className={styles.rates}>
      <p className="soft">{m.set.ratesText(currency)}</p>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the currency of a row is edited
        <div key={index} className={styles.rate} role="group" aria-label={m.set.rateOf(row.currency)}>
          <SelectField
            aria-label={m.edit.currency}
            value={row.currency}
            options={currencies.map((value) => ({ value, label: value }))}
            error={faults[`/rates/${index}/currency`]}
            onChange={(chosen) => set(index, { currency: chosen })}
          />
          <Field
            aria-label={m.set.rateOf(row.currency)}
            inputMode="decimal"
            readOnly={isReadOnly}
            value={row.rate}
            error={faults[`/rates/${index}/rate`]}
            onChange={(event) => set(index, { rate: event.currentTarget.value })}
          />
          <Field
            aria-label={m.set.rateDate(row.currency)}
            type="date"
            readOnly={isReadOnly}
            value={row.date}
            error={faults[`/rates/${index}/date`]}
            onChange={(event) => set(index, { date: event.currentTarget.value })}
          />
          {!isReadOnly && (
            <IconButton
              aria-label={m.set.removeRate(row.currency)}
              title={m.edit.remove}
              onClick={() => onChange(rows.filter((_, at) => at !== index))}
            >
              <IconX size={16} aria-hidden="true" />
            </IconButton>
          )}
        </div>
      ))}
      {!isReadOnly && missing && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden="true" />}
          onClick={() => onChange([...rows, { currency: missing, rate: '', date: today }])}
        >
          {m.set.addRate}
        </Button>
      )}
    </div>
  )
}
