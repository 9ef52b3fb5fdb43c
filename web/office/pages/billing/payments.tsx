import { type FormEvent, useState } from 'react'
import type { InvoiceVersion } from '../../../../src/contract/operator/invoices.js'
import { useFormat } from '../../../portal/i18n/format.js'
import { Button } from '../../../ui/button.js'
import { Checkbox } from '../../../ui/choices.js'
import { presentTime } from '../../../ui/clock.js'
import { Field } from '../../../ui/field.js'
import { MoneyText } from '../../../ui/money-text.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { Section } from '../../../ui/section.js'
import actionStyles from '../../actions/actions.module.css'
import { useActions } from '../../actions/use-actions.js'
import type { InvoiceParams } from '../../api/billing.js'
import { ops, useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'

type Props = { params: InvoiceParams; version: InvoiceVersion }

export function Payments({ params, version }: Props) {
  const { billing: m } = useOfficeMessages()
  const f = useFormat()
  const mayInvoice = useMayDo('invoice')
  const { payments, record, outstanding } = version
  const left = outstanding.find(({ amount }) => amount > 0)
  const takesPayments = !['paid', 'write_off', 'in_modification'].includes(record.status ?? '')
  return (
    <Section title={m.payments} isBare={payments.length > 0}>
      {payments.length === 0 ? (
        <p className="soft">{m.noPayments}</p>
      ) : (
        <PlainTable
          label={m.payments}
          rows={payments}
          rowKey={({ payment_id }) => payment_id}
          columns={[
            { id: 'id', header: m.number, isName: true, cell: ({ payment_id }) => payment_id },
            { id: 'on', header: m.paidOn, cell: ({ paid_on }) => f.day(paid_on) },
            {
              id: 'amount',
              header: m.amount,
              align: 'right',
              cell: ({ amount, currency }) => <MoneyText price={{ amount, currency }} />,
            },
            {
              id: 'unapplied',
              header: m.unapplied,
              align: 'right',
              cell: ({ unapplied, currency }) =>
                unapplied === undefined ? '' : <MoneyText price={{ amount: unapplied, currency }} />,
            },
          ]}
        />
      )}
      {mayInvoice && takesPayments && left && <PaymentForm key={left.amount} params={params} left={left} />}
    </Section>
  )
}

function PaymentForm({ params, left }: { params: InvoiceParams; left: InvoiceVersion['outstanding'][number] }) {
  const { billing: m } = useOfficeMessages()
  const { run, isBusy } = useActions()
  const [amount, setAmount] = useState(String(left.amount))
  const [paidOn, setPaidOn] = useState(new Date(presentTime()).toISOString().slice(0, 10))
  const [keeps, setKeeps] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void run(async () => {
      const excess = keeps ? ('keep_unapplied' as const) : ('refuse' as const)
      const body = { amount: Number(amount), currency: left.currency, paid_on: paidOn, excess }
      await ops.recordPayment({ params, body })
      return { text: m.done.paid }
    })
  }
  return (
    <form className={actionStyles.form} onSubmit={submit}>
      <Field
        label={`${m.amount} (${left.currency})`}
        inputMode="decimal"
        value={amount}
        onChange={(event) => setAmount(event.currentTarget.value)}
      />
      <Field label={m.paidOn} type="date" value={paidOn} onChange={(event) => setPaidOn(event.currentTarget.value)} />
      <Checkbox label={m.keepExcess} checked={keeps} onChange={() => setKeeps(!keeps)} />
      <Button type="submit" variant="default" loading={isBusy} disabled={!(Number(amount) > 0) || paidOn === ''}>
        {m.record}
      </Button>
    </form>
  )
}
