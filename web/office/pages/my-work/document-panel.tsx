import { useState } from 'react'
import { operatorAddress } from '../../../../src/client/operator-client.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import { Facts } from '../../../portal/pages/shipment/facts.js'
import { Button, ButtonLink } from '../../../ui/button.js'
import { Copyable } from '../../../ui/copyable.js'
import { MomentText } from '../../../ui/moment-text.js'
import { hasDraft } from '../../../ui/use-draft.js'
import actionStyles from '../../actions/actions.module.css'
import { TextForm } from '../../actions/text-form.js'
import { type Actions, useActions } from '../../actions/use-actions.js'
import { ops, useMayDo } from '../../api/ops.js'
import { type OfficeMessages, useOfficeMessages } from '../../i18n/messages.js'
import { SubjectLink } from './subject-link.js'
import styles from './work.module.css'
import type { ItemOf } from './work-item.js'

type Proposed = ItemOf<'document'>['document']

export function acceptProposal({ run }: Actions, m: OfficeMessages['work'], { account, proposal }: Proposed) {
  return run(async () => {
    await ops.acceptProposal({ params: { account, id: proposal.id }, body: {} })
    return { text: m.done.accepted(proposal.name) }
  })
}

export function DocumentPanel({ item }: { item: ItemOf<'document'> }) {
  const { document } = item
  const { work: m } = useOfficeMessages()
  const { statuses } = useMessages()
  const actions = useActions()
  const mayOperate = useMayDo('operate')
  const { account, account_name, proposal } = document
  const draft = `return ${account} ${proposal.id}`
  const [isReturning, setReturning] = useState(() => hasDraft(draft))
  const { id, name, type, svc_shipment_id, note, origin, supplier, proposed_at } = proposal
  const params = { account, id }
  const giveBack = (reason: string) =>
    actions.run(async () => {
      await ops.returnProposal({ params, body: { reason } })
      return { text: m.done.returned(name) }
    })
  return (
    <>
      <p className={styles.sentence}>
        {m.proposedBy[origin]}
        {supplier && ` (${supplier})`}
      </p>
      <Facts
        facts={[
          [m.account, account_name],
          [m.shipment, svc_shipment_id && <Copyable key="number" text={svc_shipment_id} />],
          [m.documentType, type && statuses.documentType[type]],
          [m.noteText, note],
          [m.received, <MomentText key="at" at={proposed_at} look="ago" />],
        ]}
      />
      <div className={actionStyles.actions}>
        {mayOperate && (
          <Button size="xs" disabled={actions.isBusy} onClick={() => void acceptProposal(actions, m, document)}>
            {m.accept} <kbd>e</kbd>
          </Button>
        )}
        {mayOperate && (
          <Button size="xs" variant="default" aria-expanded={isReturning} onClick={() => setReturning(!isReturning)}>
            {m.return}
          </Button>
        )}
        <SubjectLink item={item} />
        <ButtonLink size="xs" variant="default" href={operatorAddress('getProposalContent', params)} download>
          {m.download}
        </ButtonLink>
      </div>
      {isReturning && (
        <TextForm draft={draft} label={m.reasonShown} submit={m.return} isBusy={actions.isBusy} onSubmit={giveBack} />
      )}
    </>
  )
}
