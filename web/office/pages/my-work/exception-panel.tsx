import { useState } from 'react'
import type { ExceptionActing } from '../../../../src/contract/operator/exceptions.js'
import { Facts } from '../../../portal/pages/shipment/facts.js'
import { Button } from '../../../ui/button.js'
import { Copyable } from '../../../ui/copyable.js'
import { MomentText } from '../../../ui/moment-text.js'
import { hasDraft } from '../../../ui/use-draft.js'
import actionStyles from '../../actions/actions.module.css'
import { TextForm } from '../../actions/text-form.js'
import { useActions } from '../../actions/use-actions.js'
import { useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { HandlingButtons, OwnerField } from './handling-buttons.js'
import { useItemTexts } from './item-texts.js'
import { SubjectLink } from './subject-link.js'
import styles from './work.module.css'
import type { ItemOf } from './work-item.js'

type Asked = 'note' | 'close' | 'waive'

export function ExceptionPanel({ item }: { item: ItemOf<'exception'> }) {
  const { exception } = item
  const { work: m } = useOfficeMessages()
  const { record } = exception
  const { title, customer, shipment } = useItemTexts()(item)
  const mayOperate = useMayDo('operate')
  const { svc_shipment_id, container_number, po_number, invoice_reference, owner, snoozed_until, notes = [] } = record
  const threatened = record.threatens.length + (record.more_threatened ?? 0)
  return (
    <>
      <p className={styles.sentence}>{title}</p>
      <Facts
        facts={[
          [m.account, customer],
          [
            m.shipment,
            svc_shipment_id && (
              <span key="number">
                {shipment !== undefined && <>{shipment} </>}
                <Copyable text={svc_shipment_id} />
              </span>
            ),
          ],
          [m.container, container_number && <Copyable key="number" text={container_number} />],
          [m.order, po_number && <Copyable key="number" text={po_number} />],
          [m.invoice, invoice_reference && <Copyable key="number" text={invoice_reference} />],
          [m.owner, mayOperate ? undefined : (owner ?? m.nobody)],
          [m.since, <MomentText key="since" at={record.since} look="ago" />],
          [m.raised, <MomentText key="raised" at={record.raised_at} look="ago" />],
          [m.snoozedUntil, snoozed_until && <MomentText key="until" at={snoozed_until} look="second" />],
        ]}
      />
      {threatened > 0 && <p>{m.threatens(threatened)}</p>}
      {notes.length > 0 && (
        <>
          <h3 className={styles.subtitle}>{m.notes}</h3>
          <ul className={styles.notes}>
            {notes.map(({ at, text }) => (
              <li key={`${at} ${text}`}>
                {text} <span className="soft small">{<MomentText at={at} look="ago" />}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {mayOperate ? (
        <ExceptionActions key={exception.id} item={item} />
      ) : (
        <div className={actionStyles.actions}>
          <SubjectLink item={item} />
        </div>
      )}
    </>
  )
}

function ExceptionActions({ item }: { item: ItemOf<'exception'> }) {
  const { work: m } = useOfficeMessages()
  const { act, isBusy } = useActions()
  const { exception } = item
  const draftOf = (what: Asked) => `${what} ${exception.account} ${exception.id}`
  const [asked, setAsked] = useState(() =>
    (['note', 'close', 'waive'] as const).find((what) => hasDraft(draftOf(what))),
  )
  const { state, kind } = exception.record
  const run = (acting: ExceptionActing) => void act([exception], acting)
  const ask = (what: Asked) => setAsked(asked === what ? undefined : what)
  const send = async (text: string) => {
    const isDone = await act(
      [exception],
      asked === 'note' ? { action: 'note', note: text } : { action: asked!, reason: text },
    )
    if (isDone) setAsked(undefined)
    return isDone
  }
  return (
    <>
      <div className={actionStyles.actions}>
        {state !== 'acknowledged' && (
          <Button size="xs" disabled={isBusy} onClick={() => run({ action: 'acknowledge' })}>
            {m.acknowledge} <kbd>e</kbd>
          </Button>
        )}
        <SubjectLink item={item} />
        <HandlingButtons item={item} />
        <Button size="xs" variant="default" aria-expanded={asked === 'note'} onClick={() => ask('note')}>
          {m.note}
        </Button>
        <Button size="xs" variant="default" aria-expanded={asked === 'close'} onClick={() => ask('close')}>
          {m.close}
        </Button>
        {kind === 'missing_document' && (
          <Button size="xs" variant="default" aria-expanded={asked === 'waive'} onClick={() => ask('waive')}>
            {m.waive}
          </Button>
        )}
      </div>
      <OwnerField item={item} />
      {asked && (
        <TextForm
          key={asked}
          draft={draftOf(asked)}
          label={asked === 'note' ? m.noteText : m.reason}
          submit={m[asked]}
          isBusy={isBusy}
          onSubmit={send}
        />
      )}
    </>
  )
}
