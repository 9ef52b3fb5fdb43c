import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWebhookMessages } from '../../../portal/i18n/webhooks.js'
import { DeliveriesDialog } from '../../../portal/pages/developers/webhooks/deliveries-dialog.js'
import { WebhookState } from '../../../portal/pages/developers/webhooks/webhook-state.js'
import lists from '../../../portal/pages/lists.module.css'
import { useAddressQuery } from '../../../ui/address-query.js'
import { AppLink } from '../../../ui/app-link.js'
import { Button } from '../../../ui/button.js'
import { FilterMenu } from '../../../ui/filter-menu.js'
import { MomentText } from '../../../ui/moment-text.js'
import { Page } from '../../../ui/page.js'
import { type PlainColumn, PlainTable } from '../../../ui/plain-table.js'
import { EmptyState, ErrorState, TableSkeleton } from '../../../ui/states.js'
import { ActionsContext, useActionState, useActions } from '../../actions/use-actions.js'
import { type AccountWebhook, deliveriesQuery, ops, useMayDo, webhooksQuery } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'

const states = ['active', 'paused', 'disabled'] as const
type Search = { state?: (typeof states)[number] | undefined }

function read({ state }: Record<string, string>): Search {
  return { state: states.find((each) => each === state) }
}

/** The systems of all customers that events are sent to. */
export function WebhooksPage() {
  const { webhooks: m } = useOfficeMessages()
  const shared = useWebhookMessages()
  const [{ state }, change] = useAddressQuery(read)
  const { actions, outcome } = useActionState()
  return (
    <ActionsContext value={actions}>
      <Page title={m.title} lead={m.lead}>
        <div className={lists.filters}>
          <FilterMenu
            label={shared.state}
            value={state}
            options={states.map((value) => ({ value, label: shared.states[value] }))}
            onChange={(value) => change({ state: value as Search['state'] })}
          />
        </div>
        {outcome}
        <Endpoints state={state} />
      </Page>
    </ActionsContext>
  )
}

function Endpoints({ state }: Search) {
  const { webhooks: m } = useOfficeMessages()
  const { data, error, refetch } = useQuery(webhooksQuery())
  const [open, setOpen] = useState<AccountWebhook>()
  const columns = useColumns(setOpen)
  if (!data) {
    return error ? <ErrorState error={error} retry={() => void refetch()} /> : <TableSkeleton rows={4} columns={5} />
  }
  const rows = data.filter((webhook) => state === undefined || webhook.state === state)
  if (rows.length === 0) {
    return (
      <div className="panel">
        <EmptyState title={m.none} text={data.length === 0 ? m.noneText : m.noMatch} />
      </div>
    )
  }
  return (
    <>
      <PlainTable label={m.title} rows={rows} columns={columns} rowKey={({ webhook_id }) => webhook_id} />
      {open && (
        <DeliveriesDialog
          of={open}
          query={deliveriesQuery(open)}
          noneText={m.noDeliveriesText}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  )
}

function useColumns(onOpen: (webhook: AccountWebhook) => void): PlainColumn<AccountWebhook>[] {
  const { webhooks: m } = useOfficeMessages()
  const shared = useWebhookMessages()
  return [
    { id: 'url', header: shared.url, isName: true, cell: ({ url }) => <span className="mono">{url}</span> },
    {
      id: 'customer',
      header: m.customer,
      cell: ({ account }) => <AppLink href={paths.customer(account)}>{account}</AppLink>,
    },
    { id: 'state', header: shared.state, cell: (webhook) => <WebhookState of={webhook} reasons={m.reasons} /> },
    {
      id: 'success',
      header: shared.lastSuccess,
      cell: ({ last_success_at }) => <MomentText at={last_success_at} look="ago" none={shared.never} />,
    },
    {
      id: 'actions',
      header: shared.actions,
      align: 'right',
      isPlain: true,
      cell: (webhook) => <RowActions of={webhook} onOpen={() => onOpen(webhook)} />,
    },
  ]
}

function RowActions({ of, onOpen }: { of: AccountWebhook; onOpen: () => void }) {
  const { webhooks: m } = useOfficeMessages()
  const shared = useWebhookMessages()
  const { run, isBusy } = useActions()
  const mayOperate = useMayDo('operate')
  const { account, webhook_id, url, state } = of
  const params = { account, webhook_id }
  const enable = () =>
    run(async () => {
      await ops.enableWebhook({ params })
      return { text: m.enabled(url) }
    })
  const disable = () =>
    run(async () => {
      await ops.disableWebhook({ params })
      return { text: m.disabled(url), undo: () => ops.enableWebhook({ params }) }
    })
  return (
    <>
      <Button size="xs" variant="subtle" aria-label={m.deliveriesOf(url)} onClick={onOpen}>
        {shared.deliveries}
      </Button>
      {mayOperate && state !== 'disabled' && (
        <Button
          size="xs"
          variant="default"
          disabled={isBusy}
          aria-label={m.disableOne(url)}
          onClick={() => void disable()}
        >
          {m.disable}
        </Button>
      )}
      {mayOperate && state === 'disabled' && (
        <Button
          size="xs"
          variant="default"
          disabled={isBusy}
          aria-label={m.enableOne(url)}
          onClick={() => void enable()}
        >
          {m.enable}
        </Button>
      )}
    </>
  )
}
