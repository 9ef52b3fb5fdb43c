import { useInfiniteQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { PaymentRecord } from '../../../../src/contract/public/invoice.js'
import { useFormat } from '../../../portal/i18n/format.js'
import { useReader } from '../../../portal/i18n/messages.js'
import { writtenNumber } from '../../../portal/pages/orders/number-input.js'
import { AppLink } from '../../../ui/app-link.js'
import { Button } from '../../../ui/button.js'
import { presentDay } from '../../../ui/clock.js'
import { Dialog, DialogActions } from '../../../ui/dialog.js'
import { Field, SelectField } from '../../../ui/field.js'
import { MoneyText } from '../../../ui/money-text.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { Section } from '../../../ui/section.js'
import { useDraft } from '../../../ui/use-draft.js'
import actionStyles from '../../actions/actions.module.css'
import { typedNumber } from '../../actions/typed-number.js'
import { useActions } from '../../actions/use-actions.js'
import { invoicesQuery } from '../../api/billing.js'
import { ops, useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import styles from '../shipment/file.module.css'

type Props = { account: string; payments: PaymentRecord[] }

/** What a customer has paid beyond what it owes: applied to an invoice, or paid back. */
export function UnappliedPayments({ account, payments }: Props) {
  const { billing: m } = useOfficeMessages()
  const f = useFormat()
  const mayInvoice = useMayDo('invoice')
  const [open, setOpen] = useState<{ what: 'apply' | 'refund'; payment: PaymentRecord }>()
  const close = () => setOpen(undefined)
  return (
    <Section title={m.customerBilling.unapplied} isBare={payments.length > 0}>
      {payments.length === 0 ? (
        <p className="soft">{m.customerBilling.noUnapplied}</p>
      ) : (
        <PlainTable<PaymentRecord>
          label={m.customerBilling.unapplied}
          rows={payments}
          rowKey={({ payment_id }) => payment_id}
          columns={[
            {
              id: 'payment',
              header: m.customerBilling.payment,
              isName: true,
              cell: ({ payment_id }) => <span className="mono">{payment_id}</span>,
            },
            { id: 'on', header: m.paidOn, cell: ({ paid_on }) => f.day(paid_on) },
            {
              id: 'invoice',
              header: m.customerBilling.applyTo,
              cell: ({ reference }) => (
                <AppLink href={paths.invoice(account, reference)} className="mono">
                  {reference}
                </AppLink>
              ),
            },
            { id: 'amount', header: m.amount, align: 'right', cell: (payment) => <MoneyText price={payment} /> },
            {
              id: 'unapplied',
              header: m.unapplied,
              align: 'right',
              cell: (payment) => <MoneyText className="strong" price={unappliedOf(payment)} />,
            },
            ...(mayInvoice
              ? [
                  {
                    id: 'actions',
                    header: m.customerBilling.apply,
                    isPlain: true,
                    align: 'right' as const,
                    cell: (payment: PaymentRecord) => (
                      <span className={styles.sectionActions}>
                        {(['apply', 'refund'] as const).map((what) => (
                          <Button
                            key={what}
                            size="xs"
                            variant="default"
                            aria-label={`${m.customerBilling[what]}: ${payment.payment_id}`}
                            onClick={() => setOpen({ what, payment })}
                          >
                            {m.customerBilling[what]}
                          </Button>
                        ))}
                      </span>
                    ),
                  },
                ]
              : []),
          ]}
        />
      )}
      {open?.what === 'apply' && <ApplyDialog account={account} payment={open.payment} onClose={close} />}
      {open?.what === 'refund' && <RefundDialog account={account} payment={open.payment} onClose={close} />}
    </Section>
  )
}

const unappliedOf = ({ unapplied = 0, currency }: PaymentRecord) => ({ amount: unapplied, currency })

type DialogProps = { account: string; payment: PaymentRecord; onClose: () => void }

function ApplyDialog({ account, payment, onClose }: DialogProps) {
  const { billing: m } = useOfficeMessages()
  const { language } = useReader()
  const f = useFormat()
  const { run, isBusy } = useActions()
  const [error, setError] = useState<unknown>()
  const { data } = useInfiniteQuery(invoicesQuery({ state: 'open', account, type: 'invoice' }))
  const { payment_id, currency } = payment
  const open = (data?.pages ?? [])
    .flatMap(({ invoices }) => invoices)
    .flatMap(({ reference, number = reference, outstanding }) => {
      const owed = outstanding.find((price) => price.currency === currency && price.amount > 0)
      return owed ? [{ reference, number, owed }] : []
    })
  const [{ chosen, typed }, change, drop] = useDraft<{ chosen?: string; typed?: string | undefined }>(
    `apply ${account} ${payment_id}`,
    {},
  )
  const invoice = open.find(({ reference }) => reference === chosen) ?? open[0]
  const most = Math.min(payment.unapplied ?? 0, invoice?.owed.amount ?? 0)
  const amount = typedNumber(typed ?? writtenNumber(most, language), language) ?? 0
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!invoice) return
    setError(undefined)
    const body = { reference: invoice.reference, amount }
    void run(
      async () => {
        await ops.applyPayment({ params: { account, payment_id }, body })
        drop()
        onClose()
        return { text: m.done.applied(invoice.number) }
      },
      async (refusal) => setError(refusal),
    )
  }
  return (
    <Dialog title={m.customerBilling.applyTitle} onClose={onClose}>
      {invoice === undefined ? (
        <p>{data ? m.customerBilling.noOpen(currency) : ''}</p>
      ) : (
        <form className={actionStyles.form} onSubmit={submit}>
          <SelectField
            label={m.customerBilling.applyTo}
            value={invoice.reference}
            options={open.map(({ reference, number, owed }) => ({
              value: reference,
              label: `${number} · ${f.money(owed)}`,
            }))}
            onChange={(reference) => change({ chosen: reference, typed: undefined })}
          />
          <Field
            label={`${m.amount} (${currency})`}
            inputMode="decimal"
            value={typed ?? writtenNumber(most, language)}
            error={Number.isNaN(amount) && m.edit.notANumber}
            onChange={(event) => change({ typed: event.currentTarget.value })}
          />
          {error !== undefined && <ErrorNotice error={error} />}
          <DialogActions>
            <Button type="submit" loading={isBusy} disabled={!(amount > 0)}>
              {m.customerBilling.apply}
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  )
}

function RefundDialog({ account, payment, onClose }: DialogProps) {
  const { billing: m } = useOfficeMessages()
  const { language } = useReader()
  const { run, isBusy } = useActions()
  const [error, setError] = useState<unknown>()
  const { payment_id, currency, unapplied = 0 } = payment
  const [{ typed, on, note }, change, drop] = useDraft(`refund ${account} ${payment_id}`, {
    typed: writtenNumber(unapplied, language),
    on: presentDay(),
    note: '',
  })
  const amount = typedNumber(typed, language) ?? 0
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setError(undefined)
    const body = { amount, refunded_on: on, ...(note.trim() !== '' && { note: note.trim() }) }
    void run(
      async () => {
        await ops.refundPayment({ params: { account, payment_id }, body })
        drop()
        onClose()
        return { text: m.done.refunded }
      },
      async (refusal) => setError(refusal),
    )
  }
  return (
    <Dialog title={m.customerBilling.refundTitle} onClose={onClose}>
      <form className={actionStyles.form} onSubmit={submit}>
        <p className="soft">{m.customerBilling.refundText}</p>
        <Field
          label={`${m.amount} (${currency})`}
          inputMode="decimal"
          value={typed}
          error={Number.isNaN(amount) && m.edit.notANumber}
          onChange={(event) => change({ typed: event.currentTarget.value })}
        />
        <Field
          label={m.customerBilling.refundedOn}
          type="date"
          value={on}
          onChange={(event) => change({ on: event.currentTarget.value })}
        />
        <Field
          label={m.customerBilling.note}
          maxLength={1000}
          value={note}
          onChange={(event) => change({ note: event.currentTarget.value })}
        />
        {error !== undefined && <ErrorNotice error={error} />}
        <DialogActions>
          <Button type="submit" loading={isBusy} disabled={!(amount > 0) || on === ''}>
            {m.customerBilling.refund}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
