import { useQuery } from '@tanstack/react-query'
import { useParams, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { operatorAddress } from '../../../../src/client/operator-client.js'
import type { InvoiceVersion } from '../../../../src/contract/operator/invoices.js'
import { useFormat } from '../../../portal/i18n/format.js'
import { DueText } from '../../../portal/pages/invoices/due-text.js'
import { Facts } from '../../../portal/pages/shipment/facts.js'
import { AppLink } from '../../../ui/app-link.js'
import { BackLink } from '../../../ui/back-link.js'
import { InvoiceStatusBadge, StatusBadge } from '../../../ui/badges.js'
import { Button, ButtonLink } from '../../../ui/button.js'
import { Field } from '../../../ui/field.js'
import { MoneyText } from '../../../ui/money-text.js'
import { Page } from '../../../ui/page.js'
import { ErrorState, Lines } from '../../../ui/states.js'
import { hasDraft } from '../../../ui/use-draft.js'
import { ActionsContext, carryOutcome, useActionState, useActions } from '../../actions/use-actions.js'
import { checksQuery, type InvoiceParams, invoiceQuery } from '../../api/billing.js'
import { accountsQuery, ops, useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { useKeys } from '../../layout/keys.js'
import { paths } from '../../paths.js'
import styles from '../shipment/file.module.css'
import { Checks } from './checks.js'
import { DraftForm, linesDraft } from './draft-form.js'
import { InvoiceLines } from './invoice-lines.js'
import { Payments } from './payments.js'

/** One invoice, credit note or draft: what blocks it, its lines, totals and payments. */
export function InvoicePage() {
  const params = useParams({ strict: false }) as InvoiceParams
  const { billing: m } = useOfficeMessages()
  const { data, error, refetch } = useQuery(invoiceQuery(params))
  const { actions, outcome } = useActionState()
  const { data: accounts = [] } = useQuery(accountsQuery())
  const customer = accounts.find(({ slug }) => slug === params.account)
  const mayInvoice = useMayDo('invoice')
  const [isEditing, setEditing] = useState(() => mayInvoice && hasDraft(linesDraft(params)))
  // What is chosen for one invoice is not for the next one; what was done is shown on the page that follows.
  const key = `${params.account} ${params.reference}`
  const record = data?.record
  const mayEdit = mayInvoice && record?.draft === true
  const edit = mayEdit && !isEditing ? () => setEditing(true) : undefined
  useKeys({ z: actions.undo, e: edit })
  return (
    <ActionsContext value={actions}>
      <Page
        back={<BackLink path={paths.billing()}>{m.back}</BackLink>}
        title={record?.number ?? params.reference}
        lead={<AppLink href={paths.customer(params.account)}>{customer?.name ?? params.account}</AppLink>}
        isLoading={!data && !error}
        actions={data && <InvoiceActions key={key} params={params} version={data} />}
      >
        {outcome}
        {data ? (
          <div className={styles.column}>
            <Overview params={params} version={data} />
            <Checks params={params} isDraft={data.record.draft === true} />
            {mayEdit && isEditing ? (
              <DraftForm key={key} params={params} version={data} onClose={() => setEditing(false)} />
            ) : (
              <InvoiceLines key={key} params={params} version={data} edit={edit} />
            )}
            {!data.record.draft && <Payments key={key} params={params} version={data} />}
          </div>
        ) : error ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : (
          <Lines count={8} />
        )}
      </Page>
    </ActionsContext>
  )
}

type Props = { params: InvoiceParams; version: InvoiceVersion }

function InvoiceActions({ params, version }: Props) {
  const { billing: m } = useOfficeMessages()
  const router = useRouter()
  const { run, isBusy } = useActions()
  const mayInvoice = useMayDo('invoice')
  const { data: checks } = useQuery(checksQuery(params))
  const { record } = version
  const isDraft = record.draft === true
  const [date, setDate] = useState('')
  const issue = () =>
    run(async () => {
      // In every zone it is this day at noon in UTC, or nearly.
      const body = date === '' ? {} : { sent_date: `${date}T12:00:00Z` }
      const issued = await ops.issueInvoice({ params, body })
      return { text: m.done.issued(issued.record.number ?? issued.id) }
    })
  const discard = () =>
    run(async () => {
      await ops.discardDraft({ params })
      const outcome = carryOutcome({ text: m.done.discarded, undo: draftAgain(params, record) })
      router.history.push(paths.billing({ view: 'draft' }))
      return outcome
    })
  const move = (status: 'due' | 'write_off') =>
    run(async () => {
      await ops.moveInvoice({ params, body: { status } })
      return { text: m.done.moved }
    })
  useKeys({ i: isDraft && mayInvoice && !isBusy && checks?.can_issue ? () => void issue() : undefined })
  return (
    <>
      <ButtonLink variant="default" href={operatorAddress('getInvoicePdf', params)} target="_blank">
        {m.pdf}
      </ButtonLink>
      {mayInvoice && isDraft && (
        <>
          <Button variant="default" disabled={isBusy} onClick={() => void discard()}>
            {m.discard}
          </Button>
          <Field
            aria-label={m.issueDate}
            title={m.issueDateHint}
            type="date"
            value={date}
            onChange={(event) => setDate(event.currentTarget.value)}
          />
          <Button disabled={isBusy || checks?.can_issue !== true} onClick={() => void issue()}>
            {m.issue} <kbd>i</kbd>
          </Button>
        </>
      )}
      {mayInvoice && record.status === 'litigious' && (
        <Button variant="default" disabled={isBusy} onClick={() => void move('due')}>
          {m.endDispute}
        </Button>
      )}
      {mayInvoice && !isDraft && !['paid', 'write_off'].includes(record.status ?? '') && (
        <WriteOff isBusy={isBusy} onConfirm={() => void move('write_off')} />
      )}
    </>
  )
}

/** Creates a discarded draft again, as it was. A credit note that names no invoice can only be imported. */
function draftAgain(
  { account, reference }: InvoiceParams,
  { type, credited_invoice, lines = [], svc_shipment_id, due_date, usd_to_eur_rate, quoted }: InvoiceVersion['record'],
): (() => Promise<unknown>) | undefined {
  const rate = usd_to_eur_rate !== undefined && { usd_to_eur_rate }
  const body = { reference, lines: lines as never, ...(due_date && { due_date }), ...rate }
  if (type !== 'credit_note') {
    const details = { ...(svc_shipment_id && { svc_shipment_id }), ...(quoted && { quoted }) }
    return () => ops.draftInvoice({ params: { account }, body: { ...body, ...details } })
  }
  if (credited_invoice === undefined) return undefined
  return () => ops.draftCreditNote({ params: { account, reference: credited_invoice }, body })
}

/** It cannot be taken back: a second click confirms it. */
function WriteOff({ isBusy, onConfirm }: { isBusy: boolean; onConfirm: () => void }) {
  const { billing: m } = useOfficeMessages()
  const [isAsked, setAsked] = useState(false)
  return (
    <Button
      variant={isAsked ? 'filled' : 'default'}
      {...(isAsked && { color: 'red' as const })}
      disabled={isBusy}
      onClick={() => (isAsked ? onConfirm() : setAsked(true))}
      onBlur={() => setAsked(false)}
    >
      {isAsked ? `${m.writeOff}?` : m.writeOff}
    </Button>
  )
}

function Overview({ params, version }: Props) {
  const { billing: m } = useOfficeMessages()
  const f = useFormat()
  const { record, outstanding, disputed } = version
  const { svc_shipment_id: shipment } = record
  const amounts = (prices: InvoiceVersion['outstanding']) =>
    prices.length === 0 ? undefined : prices.map((price) => <MoneyText key={price.currency} price={price} />)
  return (
    <Facts
      facts={[
        [
          m.status,
          record.draft ? (
            <StatusBadge key="status" tone="planned">
              {m.draft}
            </StatusBadge>
          ) : (
            <InvoiceStatusBadge key="status" status={record.status} />
          ),
        ],
        [m.issuedOn, record.sent_date && f.day(record.sent_date)],
        [m.due, record.due_date && <DueText key="due" invoice={record} />],
        [m.outstanding, amounts(outstanding)],
        [m.disputed, amounts(disputed)],
        [
          m.shipment,
          shipment && (
            <AppLink key="shipment" href={paths.shipment(params.account, shipment)}>
              {shipment}
            </AppLink>
          ),
        ],
      ]}
    />
  )
}
