import { IconDots } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Webhook } from '../../../../../src/contract/public/webhook.js'
import { Button, IconButton } from '../../../../ui/button.js'
import { ConfirmDialog } from '../../../../ui/dialog.js'
import { Menu, MenuItem } from '../../../../ui/menu.js'
import { MomentText } from '../../../../ui/moment-text.js'
import { ErrorNotice } from '../../../../ui/notice.js'
import { type PlainColumn, PlainTable } from '../../../../ui/plain-table.js'
import { Section } from '../../../../ui/section.js'
import { EmptyState, ErrorState, TableSkeleton } from '../../../../ui/states.js'
import { hasDraft } from '../../../../ui/use-draft.js'
import { api } from '../../../api/client.js'
import { deliveriesQuery, webhooksQuery } from '../../../api/webhook-queries.js'
import { useWebhookMessages } from '../../../i18n/webhooks.js'
import styles from '../developers.module.css'
import { DeliveriesDialog } from './deliveries-dialog.js'
import { WebhookForm, webhookDraft } from './webhook-form.js'
import { WebhookSecret } from './webhook-secret.js'
import { WebhookState } from './webhook-state.js'

type Doing = { what: 'adding' } | { what: 'changing' | 'rotating' | 'removing' | 'deliveries'; of: Webhook }

/** The endpoints that events of the account are sent to. */
export function Webhooks({ notify }: { notify(text: string): void }) {
  const m = useWebhookMessages()
  const client = useQueryClient()
  const { data: webhooks, error, refetch } = useQuery(webhooksQuery())
  const [doing, setDoing] = useState<Doing | undefined>(() =>
    hasDraft(webhookDraft()) ? { what: 'adding' } : undefined,
  )
  const [secret, setSecret] = useState<string>()
  const refresh = () => client.invalidateQueries({ queryKey: webhooksQuery().queryKey })
  const act = useMutation({
    mutationFn: async ({ work, done }: { work(): Promise<unknown>; done: string }) => {
      await work()
      await refresh()
      notify(done)
    },
  })
  const params = (of: Webhook) => ({ params: { webhook_id: of.webhook_id } })
  const columns = useColumns({
    onOpen: (what, of) => setDoing({ what, of }),
    onTest: (of) => act.mutate({ work: () => api.v1.testWebhook(params(of)), done: m.tested }),
    onPause: (of) => act.mutate({ work: () => api.v1.pauseWebhook(params(of)), done: m.paused }),
    onResume: (of) => act.mutate({ work: () => api.v1.resumeWebhook(params(of)), done: m.resumed }),
  })
  const close = () => setDoing(undefined)
  const add = (
    <Button size="sm" variant="default" onClick={() => setDoing({ what: 'adding' })}>
      {m.add}
    </Button>
  )

  return (
    <Section title={m.title} isBare aside={webhooks && webhooks.length > 0 ? add : undefined}>
      {act.error && <ErrorNotice error={act.error} />}
      {!webhooks &&
        (error ? (
          <div className="panel">
            <ErrorState error={error} retry={() => void refetch()} />
          </div>
        ) : (
          <TableSkeleton rows={1} columns={4} />
        ))}
      {webhooks?.length === 0 && (
        <div className="panel">
          <EmptyState title={m.none} text={m.noneText} action={add} />
        </div>
      )}
      {webhooks && webhooks.length > 0 && (
        <div className={styles.form}>
          <p className="soft">{m.text}</p>
          <PlainTable
            label={m.title}
            rows={webhooks}
            columns={columns}
            rowKey={({ webhook_id }) => webhook_id}
            isFaint={({ state }) => state !== 'active'}
          />
        </div>
      )}
      {doing?.what === 'adding' && <WebhookForm onClose={close} />}
      {doing?.what === 'changing' && <WebhookForm of={doing.of} onClose={close} />}
      {doing?.what === 'deliveries' && <OwnDeliveries of={doing.of} onClose={close} />}
      {doing?.what === 'rotating' && (
        <ConfirmDialog
          title={m.rotateTitle}
          text={<p>{m.rotateText}</p>}
          confirm={m.rotate}
          act={async () => {
            const rotated = await api.v1.rotateWebhookSecret({ ...params(doing.of), body: {} })
            await refresh()
            setSecret(rotated.secret)
          }}
          onClose={close}
        />
      )}
      {doing?.what === 'removing' && (
        <ConfirmDialog
          title={m.removeTitle}
          text={<p>{m.removeText}</p>}
          confirm={m.remove}
          act={async () => {
            await api.v1.deleteWebhook(params(doing.of))
            await refresh()
            notify(m.removed)
          }}
          onClose={close}
        />
      )}
      {secret !== undefined && doing === undefined && (
        <WebhookSecret secret={secret} onClose={() => setSecret(undefined)} />
      )}
    </Section>
  )
}

function OwnDeliveries({ of, onClose }: { of: Webhook; onClose(): void }) {
  const m = useWebhookMessages()
  const { webhook_id } = of
  const resend = (delivery_id: string) => api.v1.resendWebhookDelivery({ params: { webhook_id, delivery_id } })
  const query = deliveriesQuery(webhook_id)
  return <DeliveriesDialog of={of} query={query} resend={resend} noneText={m.noDeliveriesText} onClose={onClose} />
}

type Actions = {
  onOpen(what: 'changing' | 'rotating' | 'removing' | 'deliveries', of: Webhook): void
  onTest(of: Webhook): void
  onPause(of: Webhook): void
  onResume(of: Webhook): void
}

function useColumns(actions: Actions): PlainColumn<Webhook>[] {
  const m = useWebhookMessages()
  return [
    {
      id: 'url',
      header: m.url,
      isName: true,
      cell: ({ url, description }) => (
        <span className={styles.lines}>
          <span className={`mono ${styles.request}`} title={url}>
            {url}
          </span>
          {description !== undefined && <span className={`small soft ${styles.networks}`}>{description}</span>}
        </span>
      ),
    },
    { id: 'state', header: m.state, cell: (webhook) => <WebhookState of={webhook} /> },
    {
      id: 'events',
      header: m.events,
      cell: ({ kinds, types }) => [...kinds.map((kind) => m.kinds[kind]), ...types].join(', ') || m.everything,
    },
    {
      id: 'success',
      header: m.lastSuccess,
      cell: ({ last_success_at }) => <MomentText at={last_success_at} look="ago" none={m.never} />,
    },
    {
      id: 'actions',
      header: m.actions,
      align: 'right',
      isPlain: true,
      cell: (webhook) => <ActionMenu of={webhook} actions={actions} />,
    },
  ]
}

function ActionMenu({ of, actions }: { of: Webhook; actions: Actions }) {
  const m = useWebhookMessages()
  const { onOpen, onTest, onPause, onResume } = actions
  return (
    <span className={styles.rowActions}>
      <Button size="xs" variant="subtle" onClick={() => onOpen('deliveries', of)}>
        {m.deliveries}
      </Button>
      <Menu
        label={m.menu(of.url)}
        align="end"
        trigger={(trigger) => (
          <IconButton aria-label={m.menu(of.url)} {...trigger}>
            <IconDots size={18} />
          </IconButton>
        )}
      >
        {of.state === 'active' && <MenuItem onClick={() => onTest(of)}>{m.test}</MenuItem>}
        {of.state === 'active' && <MenuItem onClick={() => onPause(of)}>{m.pause}</MenuItem>}
        {of.state !== 'active' && <MenuItem onClick={() => onResume(of)}>{m.resume}</MenuItem>}
        <MenuItem onClick={() => onOpen('changing', of)}>{m.change}</MenuItem>
        <MenuItem onClick={() => onOpen('rotating', of)}>{m.rotate}</MenuItem>
        <MenuItem tone="problem" onClick={() => onOpen('removing', of)}>
          {m.remove}
        </MenuItem>
      </Menu>
    </span>
  )
}
