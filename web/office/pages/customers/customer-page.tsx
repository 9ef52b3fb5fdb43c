import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { Account, Key } from '../../../../src/contract/operator/accounts.js'
import { quotaNames } from '../../../../src/contract/operator/quotas.js'
import { useFormat } from '../../../portal/i18n/format.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import { aboutOf, actorOf } from '../../../portal/pages/audit/entry-text.js'
import { Facts } from '../../../portal/pages/shipment/facts.js'
import { BackLink } from '../../../ui/back-link.js'
import { StatusBadge } from '../../../ui/badges.js'
import { Button, ButtonLink } from '../../../ui/button.js'
import { ConfirmDialog } from '../../../ui/dialog.js'
import { MomentText } from '../../../ui/moment-text.js'
import { Page } from '../../../ui/page.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { Section } from '../../../ui/section.js'
import { ErrorState, Lines } from '../../../ui/states.js'
import { ActionsContext, useActionState, useActions } from '../../actions/use-actions.js'
import { accountAuditQuery, accountQuery, keysQuery, ops, useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import styles from '../shipment/file.module.css'

/** One customer: settings, limits, keys, and for admins what was done in the account. */
export function CustomerPage() {
  const { account } = useParams({ strict: false }) as { account: string }
  const { customers: m } = useOfficeMessages()
  const { data, error, refetch } = useQuery(accountQuery(account))
  const { actions, outcome } = useActionState()
  const isAdmin = useMayDo('administer')
  return (
    <ActionsContext value={actions}>
      <Page
        back={<BackLink path={paths.customers()}>{m.back}</BackLink>}
        title={data?.name ?? account}
        lead={<span className="mono">{account}</span>}
        isLoading={!data && !error}
        actions={
          <>
            <ButtonLink variant="default" href={paths.shipments({ account, tab: 'all' })}>
              {m.openShipments}
            </ButtonLink>
            <ButtonLink variant="default" href={paths.work({ account })}>
              {m.openWork}
            </ButtonLink>
          </>
        }
      >
        {outcome}
        {data ? (
          <div className={styles.column}>
            <Settings account={data} isAdmin={isAdmin} />
            <Keys account={account} isAdmin={isAdmin} />
            {isAdmin && <AuditLog account={account} />}
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

function Settings({ account, isAdmin }: { account: Account; isAdmin: boolean }) {
  const { customers: m } = useOfficeMessages()
  const f = useFormat()
  const { run, isBusy } = useActions()
  const { slug, suspended, quotas } = account
  const params = { account: slug }
  const set = (to: boolean) =>
    run(async () => {
      await ops.updateAccount({ params, body: { suspended: to } })
      const undo = () => ops.updateAccount({ params, body: { suspended: !to } })
      return { text: to ? m.done.suspended : m.done.resumed, undo }
    })
  return (
    <Section
      title={m.settings}
      aside={
        isAdmin && (
          <Button size="xs" variant="default" disabled={isBusy} onClick={() => void set(!suspended)}>
            {suspended ? m.resume : m.suspend}
          </Button>
        )
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
          [m.tolerance, m.percent(account.over_shipment_percent ?? 0)],
          ...quotaNames.map((name): [string, string | undefined] => {
            const limit = quotas[name]
            return [m.quotas[name], limit === undefined ? undefined : f.number(limit)]
          }),
        ]}
      />
      {quotaNames.every((name) => quotas[name] === undefined) && (
        <p className="soft">
          {m.limits}: {m.noLimits}
        </p>
      )}
    </Section>
  )
}

function Keys({ account, isAdmin }: { account: string; isAdmin: boolean }) {
  const { customers: m } = useOfficeMessages()
  const { data } = useQuery(keysQuery(account))
  const { run } = useActions()
  const [revoked, setRevoked] = useState<Key>()
  if (!data) return <Lines count={3} />
  const nameOf = ({ name, ends_in }: Key) => `${name ?? ''} …${ends_in}`.trim()
  const revoke = (key: Key) =>
    run(async () => {
      await ops.revokeKey({ params: { account, key_id: key.key_id } })
      return { text: m.done.revoked(nameOf(key)) }
    })
  return (
    <Section title={m.keys} isBare={data.length > 0}>
      {data.length === 0 ? (
        <p className="soft">{m.noKeys}</p>
      ) : (
        <PlainTable
          label={m.keys}
          rows={data}
          rowKey={({ key_id }) => key_id}
          isFaint={({ revoked_at }) => revoked_at !== undefined}
          columns={[
            { id: 'name', header: m.keyName, isName: true, cell: nameOf },
            { id: 'scopes', header: m.scopes, cell: ({ scopes }) => scopes.join(', ') },
            { id: 'since', header: m.since, cell: ({ created_at }) => <MomentText at={created_at} look="day" /> },
            { id: 'until', header: m.expires, cell: ({ expires_at }) => <MomentText at={expires_at} look="day" /> },
            {
              id: 'revoke',
              header: m.revoke,
              isPlain: true,
              align: 'right',
              cell: (key) =>
                key.revoked_at !== undefined ? (
                  m.revoked
                ) : isAdmin ? (
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={`${m.revoke}: ${nameOf(key)}`}
                    onClick={() => setRevoked(key)}
                  >
                    {m.revoke}
                  </Button>
                ) : null,
            },
          ]}
        />
      )}
      {revoked && (
        <ConfirmDialog
          title={m.revoke}
          text={nameOf(revoked)}
          confirm={m.revoke}
          act={() => revoke(revoked)}
          onClose={() => setRevoked(undefined)}
        />
      )}
    </Section>
  )
}

function AuditLog({ account }: { account: string }) {
  const { customers: m } = useOfficeMessages()
  const messages = useMessages()
  const { data } = useQuery(accountAuditQuery(account))
  if (!data) return <Lines count={3} />
  return (
    <Section title={m.log} isBare>
      <PlainTable
        label={m.log}
        rows={data.entries}
        rowKey={({ entry_id }) => entry_id}
        columns={[
          { id: 'at', header: m.when, isName: true, cell: ({ at }) => <MomentText at={at} look="second" /> },
          { id: 'who', header: m.who, cell: (entry) => actorOf(entry, messages) },
          { id: 'what', header: m.what, cell: ({ action }) => messages.audit.actions[action] },
          { id: 'about', header: m.about, cell: (entry) => aboutOf(entry, () => undefined, messages) },
        ]}
      />
    </Section>
  )
}
