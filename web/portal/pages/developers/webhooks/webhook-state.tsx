import type { DisabledReason, Webhook } from '../../../../../src/contract/public/webhook.js'
import { type Mark, StatusBadge, type Tone } from '../../../../ui/badges.js'
import { useWebhookMessages } from '../../../i18n/webhooks.js'
import styles from '../developers.module.css'

const looks: Record<Webhook['state'] | 'failing', [Tone, Mark]> = {
  active: ['done', 'full'],
  failing: ['late', 'half'],
  paused: ['planned', 'hollow'],
  disabled: ['problem', 'crossed'],
}

type Props = { of: Webhook; reasons?: Record<DisabledReason, string> | undefined }

/** Whether events are sent to a webhook, and why not. */
export function WebhookState({ of: { state, failing_since, disabled_reason, position }, reasons }: Props) {
  const m = useWebhookMessages()
  const isFailing = state === 'active' && failing_since !== undefined
  const [tone, mark] = looks[isFailing ? 'failing' : state]
  return (
    <span className={styles.lines}>
      <StatusBadge tone={tone} mark={mark}>
        {isFailing ? m.failing : m.states[state]}
      </StatusBadge>
      {disabled_reason !== undefined && (
        <span className={`small soft ${styles.networks}`}>{(reasons ?? m.reasons)[disabled_reason]}</span>
      )}
      {position.waiting > 0 && <span className={`small soft ${styles.networks}`}>{m.waiting(position.waiting)}</span>}
    </span>
  )
}
