import { useState } from 'react'
import type { PaymentMatch } from '../../../../src/contract/operator/billing.js'
import { useFormat } from '../../../portal/i18n/format.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import { AppLink } from '../../../ui/app-link.js'
import { BackLink } from '../../../ui/back-link.js'
import { StatusBadge } from '../../../ui/badges.js'
import { Button } from '../../../ui/button.js'
import { RowCheckbox } from '../../../ui/choices.js'
import { FieldFrame } from '../../../ui/field.js'
import fields from '../../../ui/field.module.css'
import { MoneyText } from '../../../ui/money-text.js'
import { Page } from '../../../ui/page.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { explain } from '../../../ui/states.js'
import { useDraft } from '../../../ui/use-draft.js'
import { useActionState } from '../../actions/use-actions.js'
import { ops } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import { BankRowInvoice, type GivenInvoice } from './bank-row-invoice.js'
import styles from './billing.module.css'

// An amount alone may be that of another customer: such a row is recorded only if somebody chooses it.
const recordable = new Set(['exact', 'partial', 'excess', 'by_amount'])
// Rows that a person can give an invoice.
const givable = new Set(['ambiguous', 'unknown'])

/** Payments from rows that were copied from a bank statement: matched first, recorded after a look. */
export function BankListPage() {
  const { billing: m } = useOfficeMessages()
  const f = useFormat()
  const { actions, outcome } = useActionState()
  // What was pasted survives a reload.
  const [{ text }, edit] = useDraft('bank list', { text: '' })
  const [matches, setMatches] = useState<PaymentMatch[]>()
  const [taken, setTaken] = useState<number[]>([])
  const [given, setGiven] = useState(new Map<number, GivenInvoice>())
  const [refused, setRefused] = useState(new Map<string, unknown>())
  const match = async () => {
    const found = await ops.matchPayments({ body: { text } })
    setMatches(found)
    setGiven(new Map())
    setTaken(found.filter(({ outcome: each }) => each === 'exact').map(({ row }) => row))
    return found
  }
  const give = (row: number, invoice: GivenInvoice | undefined) => {
    const others = [...given].filter(([each]) => each !== row)
    setGiven(new Map(invoice ? [...others, [row, invoice]] : others))
    setTaken((before) => [...before.filter((each) => each !== row), ...(invoice ? [row] : [])])
  }
  const record = () =>
    actions.run(async () => {
      const chosen = (matches ?? []).filter(({ row }) => taken.includes(row))
      // What is refused leaves the other rows as they are, and its reason beside it.
      const failed = new Map<string, unknown>()
      for (const each of chosen)
        await recordMatch(each, given.get(each.row)).catch((error) => failed.set(each.payment_id ?? '', error))
      // One whose response was lost may be recorded after all.
      for (const { outcome: each, payment_id = '' } of await match()) if (each === 'recorded') failed.delete(payment_id)
      setRefused(failed)
      return {
        text: m.done.recorded(chosen.length - failed.size) + (failed.size > 0 ? m.bank.refused(failed.size) : ''),
      }
    })
  return (
    <Page back={<BackLink path={paths.billing()}>{m.back}</BackLink>} title={m.bankList} lead={m.bank.lead}>
      {outcome}
      <FieldFrame label={m.bank.text}>
        {(control) => (
          <textarea
            {...control}
            className={fields.control}
            rows={8}
            placeholder={m.bank.example}
            value={text}
            onChange={(event) => edit({ text: event.currentTarget.value })}
          />
        )}
      </FieldFrame>
      <p>
        <Button
          disabled={text.trim() === '' || actions.isBusy}
          onClick={() => void actions.run(async () => ({ text: `${m.bank.outcome}: ${(await match()).length}` }))}
        >
          {m.bank.match}
        </Button>
      </p>
      {matches && (
        <>
          <PlainTable
            label={m.bankList}
            rows={matches}
            rowKey={({ row }) => String(row)}
            columns={[
              {
                id: 'take',
                header: m.record,
                isPlain: true,
                cell: ({ row, outcome: each }) =>
                  recordable.has(each) || given.has(row) ? (
                    <RowCheckbox
                      label={m.bank.take(row)}
                      checked={taken.includes(row)}
                      onChange={() =>
                        setTaken((before) =>
                          before.includes(row) ? before.filter((other) => other !== row) : [...before, row],
                        )
                      }
                    />
                  ) : null,
              },
              { id: 'row', header: m.bank.row, isName: true, cell: ({ text: line }) => line },
              { id: 'on', header: m.paidOn, cell: ({ paid_on }) => (paid_on === undefined ? '–' : f.day(paid_on)) },
              {
                id: 'amount',
                header: m.amount,
                align: 'right',
                cell: ({ amount, currency }) => (
                  <MoneyText
                    price={amount === undefined || currency === undefined ? undefined : { amount, currency }}
                  />
                ),
              },
              {
                id: 'outcome',
                header: m.bank.outcome,
                cell: ({ outcome: each, payment_id = '' }) => (
                  <>
                    <StatusBadge tone={each === 'exact' ? 'done' : recordable.has(each) ? 'late' : 'planned'}>
                      {m.bank.outcomes[each]}
                    </StatusBadge>
                    {refused.has(payment_id) && <Refused error={refused.get(payment_id)} />}
                  </>
                ),
              },
              {
                id: 'invoice',
                header: m.bank.invoice,
                cell: (each) =>
                  givable.has(each.outcome) && each.payment_id !== undefined ? (
                    <BankRowInvoice
                      match={each}
                      given={given.get(each.row)}
                      onGive={(invoice) => give(each.row, invoice)}
                    />
                  ) : (
                    each.candidates.map(({ account, account_name, reference, number, outstanding }) => (
                      <span key={`${account} ${reference}`}>
                        <AppLink href={paths.invoice(account, reference)}>{number ?? reference}</AppLink> {account_name}{' '}
                        <MoneyText price={outstanding} />
                      </span>
                    ))
                  ),
              },
            ]}
          />
          <p>
            <Button disabled={taken.length === 0 || actions.isBusy} onClick={() => void record()}>
              {m.bank.record(taken.length)}
            </Button>
          </p>
        </>
      )}
    </Page>
  )
}

async function recordMatch(match: PaymentMatch, given: GivenInvoice | undefined) {
  const { payment_id, paid_on, amount, currency, candidates, outcome } = match
  const candidate = given ?? candidates[0]
  if (!candidate || payment_id === undefined || paid_on === undefined || amount === undefined || !currency) return
  const { account, reference } = candidate
  // More than the row was shown to pay has changed meanwhile: it is refused.
  const excess = given || outcome === 'excess' ? ('keep_unapplied' as const) : ('refuse' as const)
  await ops.recordPayment({
    params: { account, reference },
    body: { payment_id, amount, currency, paid_on, excess },
  })
}

function Refused({ error }: { error: unknown }) {
  const { what, remedy } = explain(error, useMessages())
  return (
    <p className={styles.refused}>
      {what}: {remedy}
    </p>
  )
}
