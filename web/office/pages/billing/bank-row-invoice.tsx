import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PaymentMatch } from '../../../../src/contract/operator/billing.js'
import { useFormat } from '../../../portal/i18n/format.js'
import { Field, SelectField } from '../../../ui/field.js'
import { invoicesQuery } from '../../api/billing.js'
import { useOfficeMessages } from '../../i18n/messages.js'

export type GivenInvoice = { account: string; reference: string }

type Props = { match: PaymentMatch; given: GivenInvoice | undefined; onGive: (given: GivenInvoice | undefined) => void }

// Fewer letters find too much.
const shortest = 3

/** The invoice that a person gives to a row: one of several that fit, or one that is searched, settled ones included. */
export function BankRowInvoice({ match: { row, outcome, candidates, currency }, given, onGive }: Props) {
  const { billing: m } = useOfficeMessages()
  const f = useFormat()
  const [query, setQuery] = useState('')
  const q = query.trim()
  const { data } = useInfiniteQuery({ ...invoicesQuery({ q, type: 'invoice' }), enabled: q.length >= shortest })
  const searched = (q.length < shortest ? [] : (data?.pages ?? []))
    .flatMap(({ invoices }) => invoices)
    .filter(({ draft }) => !draft)
    .map((invoice) => ({ ...invoice, outstanding: invoice.outstanding.find((price) => price.currency === currency) }))
  const found = outcome === 'ambiguous' ? candidates : searched
  const keyOf = ({ account, reference }: GivenInvoice) => `${account} ${reference}`
  const options = found.map((invoice) => {
    const { number = invoice.reference, account_name, outstanding } = invoice
    const owed = outstanding ? ` · ${f.money(outstanding)}` : ''
    return { value: keyOf(invoice), label: `${number} · ${account_name}${owed}` }
  })
  return (
    <>
      {outcome !== 'ambiguous' && (
        <Field
          aria-label={`${m.bank.find}, ${m.bank.choose(row)}`}
          placeholder={m.bank.find}
          maxLength={200}
          value={query}
          onChange={(event) => {
            setQuery(event.currentTarget.value)
            onGive(undefined)
          }}
        />
      )}
      {options.length > 0 && (
        <SelectField
          aria-label={m.bank.choose(row)}
          value={given ? keyOf(given) : ''}
          options={[{ value: '', label: m.bank.chooseNone }, ...options]}
          onChange={(value) => onGive(found.find((invoice) => keyOf(invoice) === value))}
        />
      )}
    </>
  )
}
