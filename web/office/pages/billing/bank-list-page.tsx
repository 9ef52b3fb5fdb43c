import { useState } from 'react'
import type { PaymentMatch } from '../../../../src/contract/operator/billing.js'
import { useFormat } from '../../../portal/i18n/format.js'
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
import { useActionState } from '../../actions/use-actions.js'
import { ops } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'

const certain = new Set(['exact', 'partial', 'excess', 'by_amount'])
const draftKey = 'office.bank-list'

/** Payments from rows that were copied from a bank statement: matched first, recorded after a look. */
export function BankListPage() {
  const { billing: m } = useOfficeMessages()
  const f = useFormat()
  const { actions, outcome } = useActionState()
  // What was pasted survives a reload.
  const [text, setText] = useState(() => sessionStorage.getItem(draftKey) ?? '')
  const [matches, setMatches] = useState<PaymentMatch[]>()
  const [taken, setTaken] = useState<number[]>([])
  const change = (next: string) => {
    setText(next)
    sessionStorage.setItem(draftKey, next)
  }
  const match = async () => {
    const found = await ops.matchPayments({ body: { text } })
    setMatches(found)
    setTaken(found.filter(({ outcome: each }) => each === 'exact' || each === 'by_amount').map(({ row }) => row))
    return found
  }
  const record = () =>
    actions.run(async () => {
      const chosen = (matches ?? []).filter(({ row }) => taken.includes(row))
      for (const { payment_id, paid_on, amount, currency, candidates } of chosen) {
        const [candidate] = candidates
        if (!candidate || paid_on === undefined || amount === undefined || currency === undefined) continue
        const { account, reference } = candidate
        const body = { amount, currency, paid_on, excess: 'keep_unapplied' as const }
        await ops.recordPayment({
          params: { account, reference },
          body: { ...body, ...(payment_id && { payment_id }) },
        })
      }
      await match()
      return { text: m.done.recorded(chosen.length) }
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
            value={text}
            onChange={(event) => change(event.currentTarget.value)}
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
                  certain.has(each) ? (
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
                cell: ({ outcome: each }) => (
                  <StatusBadge tone={each === 'exact' ? 'done' : certain.has(each) ? 'late' : 'planned'}>
                    {m.bank.outcomes[each]}
                  </StatusBadge>
                ),
              },
              {
                id: 'invoice',
                header: m.bank.invoice,
                cell: ({ candidates }) =>
                  candidates.map(({ account, account_name, reference, number, outstanding }) => (
                    <span key={`${account} ${reference}`}>
                      <AppLink href={paths.invoice(account, reference)}>{number ?? reference}</AppLink> {account_name}{' '}
                      <MoneyText price={outstanding} />
                    </span>
                  )),
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
