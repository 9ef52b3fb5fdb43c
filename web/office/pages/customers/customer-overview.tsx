import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Account } from '../../../../src/contract/operator/accounts.js'
import { useFormat } from '../../../portal/i18n/format.js'
import { useWebhookMessages } from '../../../portal/i18n/webhooks.js'
import { WebhookState } from '../../../portal/pages/developers/webhooks/webhook-state.js'
import { Facts } from '../../../portal/pages/shipment/facts.js'
import { AppLink } from '../../../ui/app-link.js'
import { StatusBadge } from '../../../ui/badges.js'
import { Button } from '../../../ui/button.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { Section } from '../../../ui/section.js'
import { Lines } from '../../../ui/states.js'
import { hasDraft } from '../../../ui/use-draft.js'
import { useActions } from '../../actions/use-actions.js'
import { accountWebhooksQuery, ops, useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { useKeys } from '../../layout/keys.js'
import { paths } from '../../paths.js'
import { SettingsDialog, settingsDraft } from './settings-dialog.js'

/** Settings and counts of a customer, and its webhooks. `e` edits, and admins suspend it here. */
export function CustomerOverview({ account }: { account: Account }) {
  const { customers: m, people } = useOfficeMessages()
  const f = useFormat()
  const { run, isBusy } = useActions()
  const isAdmin = useMayDo('administer')
  const { slug, suspended, counts } = account
  const [isEditing, setEditing] = useState(() => isAdmin && hasDraft(settingsDraft(slug)))
  const edit = () => setEditing(true)
  useKeys({ e: isAdmin ? edit : undefined })
  const params = { account: slug }
  const suspend = (to: boolean) =>
    run(async () => {
      await ops.updateAccount({ params, body: { suspended: to } })
      const undo = () => ops.updateAccount({ params, body: { suspended: !to } })
      return { text: to ? m.done.suspended : m.done.resumed, undo }
    })
  const reason = isAdmin ? undefined : people.adminsOnly
  return (
    <>
      <Section
        title={m.settings}
        aside={
          <>
            <Button
              size="xs"
              variant="default"
              disabled={isBusy || !isAdmin}
              title={reason}
              onClick={() => void suspend(!suspended)}
            >
              {suspended ? m.resume : m.suspend}
            </Button>{' '}
            <Button size="xs" variant="default" disabled={!isAdmin} title={reason} onClick={edit}>
              {m.edit} <kbd>e</kbd>
            </Button>
          </>
        }
      >
        <Facts
          facts={[
            [
              m.status,
              <StatusBadge key="status" tone={suspended ? 'problem' : 'accent'}>
                {suspended ? m.suspended : m.active}
              </StatusBadge>,
            ],
            [m.since, f.day(account.created_at)],
            [m.secondFactor, account.second_factor_required ? m.required : m.optional],
            [m.provider, account.provider_only ? m.providerOnly : m.optional],
            [m.keyDays, account.max_key_days === undefined ? m.noKeyDays : m.days(account.max_key_days)],
            [m.tolerance, m.percent(account.over_shipment_percent ?? 0)],
            [
              m.shipments,
              <AppLink key="shipments" href={paths.shipments({ account: slug, tab: 'all' })}>
                {f.number(counts.shipments)}
              </AppLink>,
            ],
            [m.orders, f.number(counts.purchase_orders)],
            [
              m.invoices,
              <AppLink key="invoices" href={paths.billing({ account: slug, view: 'all' })}>
                {f.number(counts.invoices)}
              </AppLink>,
            ],
            [m.documents, f.number(counts.documents)],
          ]}
        />
      </Section>
      <Webhooks account={slug} />
      <Section title={m.branding}>
        <p className="soft">
          {m.brandingText} <AppLink href={paths.settings({ show: 'branding' })}>{m.brandingLink}</AppLink>
        </p>
      </Section>
      {isEditing && <SettingsDialog account={account} onClose={() => setEditing(false)} />}
    </>
  )
}

function Webhooks({ account }: { account: string }) {
  const { customers: m, webhooks } = useOfficeMessages()
  const shared = useWebhookMessages()
  const { data } = useQuery(accountWebhooksQuery(account))
  if (!data) return <Lines count={2} />
  return (
    <Section
      title={webhooks.title}
      isBare={data.length > 0}
      aside={<AppLink href={paths.webhooks()}>{m.allWebhooks}</AppLink>}
    >
      {data.length === 0 ? (
        <p className="soft">{m.noWebhooks}</p>
      ) : (
        <PlainTable
          label={webhooks.title}
          rows={data}
          rowKey={({ webhook_id }) => webhook_id}
          columns={[
            { id: 'url', header: shared.url, isName: true, cell: ({ url }) => <span className="mono">{url}</span> },
            {
              id: 'state',
              header: shared.state,
              cell: (webhook) => <WebhookState of={webhook} reasons={webhooks.reasons} />,
            },
          ]}
        />
      )}
    </Section>
  )
}
