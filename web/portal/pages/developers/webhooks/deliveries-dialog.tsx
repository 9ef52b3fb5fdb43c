import { type UseQueryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Webhook, WebhookDelivery } from '../../../../../src/contract/public/webhook.js'
import { type Mark, StatusBadge, type Tone } from '../../../../ui/badges.js'
import { Button } from '../../../../ui/button.js'
import { Dialog } from '../../../../ui/dialog.js'
import { MomentText } from '../../../../ui/moment-text.js'
import { ErrorNotice, useNotice } from '../../../../ui/notice.js'
import { type PlainColumn, PlainTable } from '../../../../ui/plain-table.js'
import { EmptyState, ErrorState, TableSkeleton } from '../../../../ui/states.js'
import { useFormat } from '../../../i18n/format.js'
import { useWebhookMessages } from '../../../i18n/webhooks.js'
import { CodeBlock } from '../code-block.js'
import styles from '../developers.module.css'

type Props = {
  of: Pick<Webhook, 'url'>
  query: UseQueryOptions<WebhookDelivery[], Error, WebhookDelivery[], string[]>
  /** Sends one again; absent where only its account may do that. */
  resend?: ((delivery_id: string) => Promise<unknown>) | undefined
  /** The text if there are none. */
  noneText: string
  onClose(): void
}

/** What was sent to a webhook: each with its request and the response to it; sends one again. */
export function DeliveriesDialog({ of: { url }, query, resend: send, noneText, onClose }: Props) {
  const m = useWebhookMessages()
  const client = useQueryClient()
  const found = useQuery(query)
  const [shownId, setShownId] = useState<string>()
  const [notice, notify] = useNotice()
  const resend = useMutation({
    mutationFn: async (delivery_id: string) => send?.(delivery_id),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: query.queryKey })
      notify(m.resent)
    },
  })
  const deliveries = found.data ?? []
  const shown = deliveries.find(({ delivery_id }) => delivery_id === shownId)
  const columns = useColumns((delivery) => setShownId(delivery.delivery_id))
  return (
    <Dialog title={m.deliveriesOf(url)} onClose={onClose} isWide>
      <div className={styles.form}>
        <p className="soft">{m.deliveriesText}</p>
        {notice}
        {resend.error && <ErrorNotice error={resend.error} />}
        {found.isPending && <TableSkeleton rows={3} columns={4} />}
        {found.isError && <ErrorState error={found.error} retry={() => void found.refetch()} />}
        {found.isSuccess && deliveries.length === 0 && <EmptyState title={m.noDeliveries} text={noneText} />}
        {shown && (
          <Delivery of={shown} isBusy={resend.isPending} onResend={send && (() => resend.mutate(shown.delivery_id))} />
        )}
        {deliveries.length > 0 && (
          <PlainTable
            label={m.deliveries}
            rows={deliveries}
            columns={columns}
            rowKey={({ delivery_id }) => delivery_id}
          />
        )}
      </div>
    </Dialog>
  )
}

type DeliveryProps = { of: WebhookDelivery; isBusy: boolean; onResend: (() => void) | undefined }

function Delivery({ of, isBusy, onResend }: DeliveryProps) {
  const m = useWebhookMessages()
  const { delivery_id, request, response, state, next_attempt_at } = of
  const section = useRef<HTMLElement>(null)
  // Details are above the table, which may be scrolled.
  useEffect(() => section.current?.focus(), [delivery_id])
  return (
    <section ref={section} tabIndex={-1} aria-label={m.detailsOf(of.type)} className={styles.form}>
      <CodeBlock text={formatted(request.body)} label={m.request} copy={m.copyRequest} />
      {response && (
        <CodeBlock
          text={response.body || response.error || ''}
          label={`${m.response}: ${m.responseIn(String(response.status ?? m.noResponse), String(response.milliseconds))}`}
          copy={m.copyResponse}
        />
      )}
      {next_attempt_at !== undefined && (
        <p className="small soft">
          {m.nextAttempt} <MomentText at={next_attempt_at} look="second" />
        </p>
      )}
      {onResend && (
        <div>
          <Button size="sm" variant="default" loading={isBusy} onClick={onResend}>
            {state === 'waiting' ? m.sendNow : m.resend}
          </Button>
        </div>
      )}
    </section>
  )
}

/** What the event is about. */
function subjectOf(body: string): string | undefined {
  try {
    return (JSON.parse(body) as { data: { object: { id: string } } }).data.object.id
  } catch {
    return undefined
  }
}

function formatted(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

const looks: Record<WebhookDelivery['state'], [Tone, Mark]> = {
  waiting: ['late', 'half'],
  delivered: ['done', 'full'],
  failed: ['problem', 'crossed'],
  dropped: ['planned', 'hollow'],
}

function useColumns(onShow: (delivery: WebhookDelivery) => void): PlainColumn<WebhookDelivery>[] {
  const m = useWebhookMessages()
  const f = useFormat()
  return [
    {
      id: 'event',
      header: m.event,
      isName: true,
      cell: ({ type, request }) => (
        <span className={styles.lines}>
          <span className="mono">{type}</span>
          <span className={`small soft ${styles.networks}`}>{subjectOf(request.body)}</span>
        </span>
      ),
    },
    {
      id: 'result',
      header: m.result,
      cell: ({ state, attempts, response }) => (
        <span className={styles.lines}>
          <StatusBadge tone={looks[state][0]} mark={looks[state][1]}>
            {response?.status === undefined ? m.results[state] : `${m.results[state]}, ${response.status}`}
          </StatusBadge>
          {attempts > 1 && <span className={`small soft ${styles.networks}`}>{m.attempts(attempts)}</span>}
        </span>
      ),
    },
    {
      id: 'sent',
      header: m.sent,
      cell: ({ request, created_at, response }) => (
        <span className={styles.lines}>
          <MomentText at={request.at ?? created_at} look="second" />
          {response && <span className={`small soft ${styles.networks}`}>{f.number(response.milliseconds)} ms</span>}
        </span>
      ),
    },
    {
      id: 'actions',
      header: m.actions,
      align: 'right',
      isPlain: true,
      cell: (delivery) => (
        <Button size="xs" variant="subtle" aria-label={m.detailsOf(delivery.type)} onClick={() => onShow(delivery)}>
          {m.details}
        </Button>
      ),
    },
  ]
}
