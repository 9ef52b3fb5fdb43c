import { type FormEvent, useState } from 'react'
import type { InvoiceVersion } from '../../../../src/contract/operator/invoices.js'
import type { PaymentRecord } from '../../../../src/contract/public/invoice.js'
import type { Currency } from '../../../../src/contract/public/shared-types.js'
import { payable } from '../../../../src/domain/invoices/dispute.js'
import { keepsPayments } from '../../../../src/domain/invoices/invoice-status.js'
import { useFormat } from '../../../portal/i18n/format.js'
import { useReader } from '../../../portal/i18n/messages.js'
import { writtenNumber } from '../../../portal/pages/orders/number-input.js'
import { Button } from '../../../ui/button.js'
import { Checkbox } from '../../../ui/choices.js'
import { presentDay } from '../../../ui/clock.js'
import { Field } from '../../../ui/field.js'
import { MoneyText } from '../../../ui/money-text.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { Section } from '../../../ui/section.js'
import { useDraft } from '../../../ui/use-draft.js'
import actionStyles from '../../actions/actions.module.css'
import { ReasonDialog } from '../../actions/reason-dialog.js'
import { typedNumber } from '../../actions/typed-number.js'
import { useActions } from '../../actions/use-actions.js'
import type { InvoiceParams } from '../../api/billing.js'
import { ops, useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import styles from './billing.module.css'

type Props = { params: InvoiceParams; version: InvoiceVersion }

export function Payments({ params, version }: Props) {
  const { billing: m } = useOfficeMessages()
  const f = useFormat()
  const mayInvoice = useMayDo('invoice')
  const { payments, record } = version
  const [reversed, setReversed] = useState<PaymentRecord>()
  const reverse = (payment: PaymentRecord) => async (reason: string) => {
    const {
      payment_id,
      reference: _reference,
      unapplied: _unapplied,
      refunds: _refunds,
      split_from,
      ...given
    } = payment
    await ops.removePayment({ params: { ...params, payment_id }, query: { reason } })
    const body = { ...given, payment_id, excess: 'keep_unapplied' as const }
    // What was split from another payment cannot be recorded as such.
    const undo = split_from === undefined ? () => ops.recordPayment({ params, body }) : undefined
    return { text: m.done.reversed, undo }
  }
  // Of what cannot be paid any more, or is in dispute, a payment is kept for other invoices.
  const left = payable(version).find(({ amount }) => amount > 0)
  const keptIn = left === undefined && keepsPayments(record) ? version.totals[0]?.currency : undefined
  return (
    <Section title={m.payments} isBare={payments.length > 0}>
      {payments.length === 0 ? (
        <p className={`soft ${styles.note}`}>{m.noPayments}</p>
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
            {
              id: 'reverse',
              header: m.reverse,
              isPlain: true,
              align: 'right',
              cell: (payment) =>
                mayInvoice && (
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={`${m.reverse}: ${payment.payment_id}`}
                    onClick={() => setReversed(payment)}
                  >
                    {m.reverse}
                  </Button>
                ),
            },
          ]}
        />
      )}
      {mayInvoice && record.status !== 'in_modification' && left && (
        <PaymentForm key={left.amount} params={params} currency={left.currency} left={left.amount} />
      )}
      {mayInvoice && keptIn && <PaymentForm key="kept" params={params} currency={keptIn} left={undefined} />}
      {reversed && (
        <ReasonDialog
          draft={`reverse ${params.account} ${params.reference} ${reversed.payment_id}`}
          title={`${m.reverse}: ${reversed.payment_id}`}
          text={m.reverseText}
          confirm={m.reverse}
          onClose={() => setReversed(undefined)}
          act={reverse(reversed)}
        />
      )}
    </Section>
  )
}

/** `left`: what can be paid; undefined if all of the payment is kept for other invoices. */
type FormProps = { params: InvoiceParams; currency: Currency; left: number | undefined }

function PaymentForm({ params, currency, left }: FormProps) {
  const { billing: m } = useOfficeMessages()
  const { language } = useReader()
  const { run, isBusy } = useActions()
  // For what is outstanding now: after a payment the form starts anew.
  const name = `payment ${params.account} ${params.reference} ${left ?? ''} ${currency}`
  const today = presentDay()
  const [draft, change, drop] = useDraft(name, {
    amount: left === undefined ? '' : writtenNumber(left, language),
    paidOn: today,
    keeps: false,
  })
  const { paidOn, keeps } = draft
  const amount = typedNumber(draft.amount, language) ?? 0
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void run(async () => {
      const excess = keeps || left === undefined ? ('keep_unapplied' as const) : ('refuse' as const)
      const body = { amount, currency, paid_on: paidOn, excess }
      await ops.recordPayment({ params, body })
      drop()
      return { text: m.done.paid }
    })
  }
  return (
    <form className={`${actionStyles.form} ${styles.below}`} onSubmit={submit}>
      <div className={styles.fields}>
        <Field
          label={`${m.amount} (${currency})`}
          inputMode="decimal"
          value={draft.amount}
          error={Number.isNaN(amount) && m.edit.notANumber}
          onChange={(event) => change({ amount: event.currentTarget.value })}
        />
        <Field
          label={m.paidOn}
          type="date"
          value={paidOn}
          onChange={(event) => change({ paidOn: event.currentTarget.value })}
        />
      </div>
      {left === undefined ? (
        <p className="soft">{m.keptWhole}</p>
      ) : (
        <Checkbox label={m.keepExcess} checked={keeps} onChange={() => change({ keeps: !keeps })} />
      )}
      <div>
        <Button type="submit" variant="default" loading={isBusy} disabled={!(amount > 0) || paidOn === ''}>
          {m.record}
        </Button>
      </div>
    </form>
  )
}
