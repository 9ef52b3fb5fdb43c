import { IconPlus, IconX } from '@tabler/icons-react'
import { taxCategories } from '../../../../src/contract/billing.js'
import { currencies } from '../../../../src/contract/public/shared-types.js'
import { useFormat } from '../../../portal/i18n/format.js'
import { useReader } from '../../../portal/i18n/messages.js'
import { Button, IconButton } from '../../../ui/button.js'
import { Checkbox } from '../../../ui/choices.js'
import { Field, SelectField } from '../../../ui/field.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import styles from './draft.module.css'
import { blankRow, computedAmount, type DraftRow } from './draft-rows.js'

type Props = { rows: DraftRow[]; faults: Record<string, string>; onChange: (rows: DraftRow[]) => void }

const currencyOptions = currencies.map((value) => ({ value: value as string, label: value }))

/** One row a line. The amount follows from quantity and rate where both are given. */
export function DraftLines({ rows, faults, onChange }: Props) {
  const { billing: m } = useOfficeMessages()
  const f = useFormat()
  const { language } = useReader()
  const set = (index: number, changed: Partial<DraftRow>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...changed } : row)))
  const taxes = [
    { value: '', label: m.edit.taxOfCustomer },
    ...taxCategories.map((value) => ({ value: value as string, label: m.taxCategories[value] })),
  ]
  const shownAmount = (amount: number) => (Number.isNaN(amount) ? '–' : f.number(amount))
  const faultAt = (index: number, ...names: string[]) =>
    Object.entries(faults).find(([at]) => names.some((name) => at.startsWith(`/lines/${index}/${name}`)))?.[1]
  return (
    <div className={styles.lines}>
      <div className={styles.heads} aria-hidden="true">
        {[
          m.description,
          m.quantity,
          m.edit.unit,
          m.edit.rate,
          m.edit.currency,
          m.amount,
          m.edit.taxCategory,
          m.edit.vat,
        ].map((head) => (
          <span key={head}>{head}</span>
        ))}
      </div>
      {rows.map((row, index) => {
        const place = m.lineNumber(index + 1)
        const computed = computedAmount(row, language)
        const text = (
          name: 'description' | 'quantity' | 'unit' | 'rate' | 'amount' | 'vat',
          label: string,
          at: string,
        ) => (
          <Field
            aria-label={`${label}, ${place}`}
            autoComplete="off"
            className={name === 'description' ? styles.description : undefined}
            inputMode={name === 'description' || name === 'unit' ? undefined : 'decimal'}
            maxLength={name === 'description' ? 1000 : 100}
            description={name === 'amount' ? row.amountCurrency : undefined}
            value={name !== 'amount' || computed === undefined ? row[name] : shownAmount(computed)}
            readOnly={name === 'amount' && computed !== undefined}
            error={faultAt(index, at)}
            onChange={(event) => set(index, { [name]: event.currentTarget.value })}
          />
        )
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
          <div key={index} className={styles.line} role="group" aria-label={place}>
            {text('description', m.description, 'description')}
            {text('quantity', m.quantity, 'quantity')}
            {text('unit', m.edit.unit, 'quantity/unit')}
            {text('rate', m.edit.rate, 'unit_rate')}
            <SelectField
              aria-label={`${m.edit.currency}, ${place}`}
              value={row.currency}
              options={currencyOptions}
              onChange={(currency) =>
                set(index, { currency, ...(row.amountCurrency === currency && { amountCurrency: '' }) })
              }
            />
            {text('amount', m.amount, 'price')}
            <SelectField
              aria-label={`${m.edit.taxCategory}, ${place}`}
              value={row.tax}
              options={taxes}
              error={faultAt(index, 'tax_category')}
              onChange={(tax) => set(index, { tax, ...(tax !== '' && tax !== 'standard' && { vat: '0' }) })}
            />
            {text('vat', m.edit.vat, 'vatRate')}
            <IconButton
              aria-label={`${m.edit.remove}: ${row.description || place}`}
              title={m.edit.remove}
              onClick={() => onChange(rows.filter((_, at) => at !== index))}
            >
              <IconX size={16} aria-hidden="true" />
            </IconButton>
            <div className={styles.disbursement}>
              <Checkbox
                label={m.edit.disbursement}
                aria-label={`${m.edit.disbursement}, ${place}`}
                checked={row.disbursement}
                onChange={() => set(index, { disbursement: !row.disbursement })}
              />
            </div>
          </div>
        )
      })}
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden="true" />}
        onClick={() => onChange([...rows, blankRow(rows.at(-1)?.currency ?? 'EUR')])}
      >
        {m.edit.add}
      </Button>
    </div>
  )
}
