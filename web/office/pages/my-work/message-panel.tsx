import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { operatorAddress } from '../../../../src/client/operator-client.js'
import { Facts } from '../../../portal/pages/shipment/facts.js'
import { Button, ButtonLink } from '../../../ui/button.js'
import { Field, SelectField } from '../../../ui/field.js'
import { MomentText } from '../../../ui/moment-text.js'
import { Lines } from '../../../ui/states.js'
import { hasDraft, useDraft } from '../../../ui/use-draft.js'
import actionStyles from '../../actions/actions.module.css'
import { TextForm } from '../../actions/text-form.js'
import { useActions } from '../../actions/use-actions.js'
import { accountsQuery, messageQuery, ops, useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import styles from './work.module.css'
import type { ItemOf } from './work-item.js'

export function MessagePanel({ item: { message } }: { item: ItemOf<'message'> }) {
  const { work: m } = useOfficeMessages()
  const { message_id, sender, format, received_at, reason, counts } = message
  const { data } = useQuery(messageQuery(message_id))
  const mayOperate = useMayDo('operate')
  const left = (data?.events ?? []).filter(({ outcome }) => !['applied', 'unchanged'].includes(outcome))
  const references = [...new Set(left.flatMap((event) => event.references ?? []))].slice(0, 20)
  const applied = (counts.applied ?? 0) + (counts.unchanged ?? 0)
  return (
    <>
      {reason && <p className={styles.sentence}>{reason}</p>}
      <Facts
        facts={[
          [m.sender, sender],
          [m.format, format],
          [m.received, <MomentText key="received" at={received_at} look="second" />],
          [m.events, m.eventCounts(counts.events - applied, counts.events)],
          [
            m.references,
            references.length > 0 && (
              <span key="references" className="mono">
                {references.join(', ')}
              </span>
            ),
          ],
        ]}
      />
      {!data && <Lines count={3} />}
      <p>
        <ButtonLink
          size="xs"
          variant="default"
          href={operatorAddress('getMessageContent', { message_id: String(message_id) })}
          download
        >
          {m.original}
        </ButtonLink>
      </p>
      {data && mayOperate && (
        <MessageActions
          key={message_id}
          message_id={String(message_id)}
          suggestions={left.flatMap((event) => event.suggestions ?? [])}
        />
      )}
    </>
  )
}

type Shipment = { account: string; svc_shipment_id: string }

function MessageActions({ message_id, suggestions }: { message_id: string; suggestions: Shipment[] }) {
  const { work: m } = useOfficeMessages()
  const { run, isBusy } = useActions()
  const draft = `drop ${message_id}`
  const [isDropping, setDropping] = useState(() => hasDraft(draft))
  const params = { message_id }
  const match = ({ account, svc_shipment_id }: Shipment) =>
    run(async () => {
      await ops.matchMessage({ params, body: { account, svc_shipment_id } })
      return { text: m.done.matched }
    })
  const replay = () =>
    run(async () => {
      await ops.replayMessage({ params })
      return { text: m.done.replayed }
    })
  const drop = (reason: string) =>
    run(async () => {
      await ops.dropMessage({ params, body: { reason } })
      return { text: m.done.dropped }
    })
  const unique = new Map(suggestions.map((each) => [`${each.account} ${each.svc_shipment_id}`, each]))
  return (
    <>
      <div className={actionStyles.actions}>
        {[...unique].slice(0, 5).map(([key, shipment]) => (
          <Button key={key} size="xs" disabled={isBusy} onClick={() => void match(shipment)}>
            {m.match(`${shipment.svc_shipment_id} (${shipment.account})`)}
          </Button>
        ))}
        <Button size="xs" variant="default" disabled={isBusy} onClick={() => void replay()}>
          {m.replay}
        </Button>
        <Button size="xs" variant="default" aria-expanded={isDropping} onClick={() => setDropping(!isDropping)}>
          {m.drop}
        </Button>
      </div>
      {isDropping && <TextForm draft={draft} label={m.reason} submit={m.drop} isBusy={isBusy} onSubmit={drop} />}
      <MatchForm message_id={message_id} isBusy={isBusy} onMatch={match} />
    </>
  )
}

type Matching = { message_id: string; isBusy: boolean; onMatch: (shipment: Shipment) => Promise<boolean> }

function MatchForm({ message_id, isBusy, onMatch }: Matching) {
  const { work: m } = useOfficeMessages()
  const { data: accounts = [] } = useQuery(accountsQuery())
  const [{ account, number }, change, drop] = useDraft(`match ${message_id}`, { account: '', number: '' })
  const chosen = account || (accounts[0]?.slug ?? '')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void onMatch({ account: chosen, svc_shipment_id: number.trim() }).then((isDone) => isDone && drop())
  }
  return (
    <form className={actionStyles.form} onSubmit={submit}>
      <SelectField
        label={m.account}
        value={chosen}
        options={accounts.map(({ slug, name }) => ({ value: slug, label: name }))}
        onChange={(value) => change({ account: value })}
      />
      <Field
        label={m.shipmentNumber}
        value={number}
        onChange={(event) => change({ number: event.currentTarget.value })}
      />
      <Button type="submit" variant="default" loading={isBusy} disabled={number.trim() === '' || chosen === ''}>
        {m.matchOther}
      </Button>
    </form>
  )
}
