import { useQuery } from '@tanstack/react-query'
import { useParams, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { operatorAddress } from '../../../../src/client/operator-client.js'
import type { InvoiceVersion } from '../../../../src/contract/operator/invoices.js'
import { useFormat } from '../../../portal/i18n/format.js'
import { Facts } from '../../../portal/pages/shipment/facts.js'
import { AppLink } from '../../../ui/app-link.js'
import { BackLink } from '../../../ui/back-link.js'
import { InvoiceStatusBadge, StatusBadge } from '../../../ui/badges.js'
import { Button, ButtonLink } from '../../../ui/button.js'
import { MoneyText } from '../../../ui/money-text.js'
import { Page } from '../../../ui/page.js'
import { ErrorState, Lines } from '../../../ui/states.js'
import { ActionsContext, useActionState, useActions } from '../../actions/use-actions.js'
import { checksQuery, type InvoiceParams, invoiceQuery } from '../../api/billing.js'
import { ops, useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { useKeys } from '../../layout/keys.js'
import { paths } from '../../paths.js'
import styles from '../shipment/file.module.css'
import { Checks } from './checks.js'
import { InvoiceLines } from './invoice-lines.js'
import { Payments } from './payments.js'

/** One invoice, credit note or draft: what blocks it, its lines, totals and payments. */
export function InvoicePage() {
  const params = useParams({ strict: false }) as InvoiceParams
  const { billing: m } = useOfficeMessages()
  const { data, error, refetch } = useQuery(invoiceQuery(params))
  const { actions, outcome } = useActionState()
  useKeys({ z: actions.undo })
  const record = data?.record
  return (
    <ActionsContext value={actions}>
      <Page
        back={<BackLink path={paths.billing()}>{m.back}</BackLink>}
        title={record?.number ?? params.reference}
        lead={<AppLink href={paths.customer(params.account)}>{params.account}</AppLink>}
        isLoading={!data && !error}
        actions={data && <InvoiceActions params={params} version={data} />}
      >
        {outcome}
        {data ? (
          <div className={styles.column}>
            <Overview params={params} version={data} />
            <Checks params={params} isDraft={data.record.draft === true} />
            <InvoiceLines params={params} version={data} />
            {!data.record.draft && <Payments params={params} version={data} />}
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
  const issue = () =>
    run(async () => {
      const issued = await ops.issueInvoice({ params, body: {} })
      return { text: m.done.issued(issued.record.number ?? issued.id) }
    })
  const discard = () =>
    run(async () => {
      await ops.discardDraft({ params })
      router.history.push(paths.billing({ view: 'draft' }))
      const { lines = [], svc_shipment_id, due_date } = record
      const again = {
        lines: lines as never,
        ...(svc_shipment_id && { svc_shipment_id }),
        ...(due_date && { due_date }),
      }
      const body = { reference: params.reference, ...again }
      return {
        text: m.done.discarded,
        undo: () => ops.draftInvoice({ params: { account: params.account }, body }),
      }
    })
  const move = (status: 'due' | 'write_off') =>
    run(async () => {
      await ops.moveInvoice({ params, body: { status } })
      return { text: m.done.moved }
    })
  useKeys({ i: isDraft && mayInvoice && checks?.can_issue ? () => void issue() : undefined })
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
        [m.due, record.due_date && f.day(record.due_date)],
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
