import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useMessages } from '../../../portal/i18n/messages.js'
import { AppLink } from '../../../ui/app-link.js'
import { BackLink } from '../../../ui/back-link.js'
import { StatusBadge } from '../../../ui/badges.js'
import { Button } from '../../../ui/button.js'
import { Page } from '../../../ui/page.js'
import { hasDraft } from '../../../ui/use-draft.js'
import { ReasonDialog } from '../../actions/reason-dialog.js'
import { ActionsContext, useActionState } from '../../actions/use-actions.js'
import { accountQuery, ops, orderQuery, useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import styles from '../shipment/file.module.css'
import { CustomerConversation } from './customer-conversation.js'

/** An order of a customer: the messages about it, which mails to staff link to, and its cancellation. */
export function OrderConversationPage() {
  const { account, po_number } = useParams({ strict: false }) as { account: string; po_number: string }
  const { nav } = useOfficeMessages()
  const { conversation: m } = useMessages()
  const { data } = useQuery(accountQuery(account))
  const { actions, outcome } = useActionState()
  return (
    <ActionsContext value={actions}>
      <Page
        back={<BackLink path={paths.work({ account })}>{nav.work}</BackLink>}
        title={`${m.title} · ${po_number}`}
        lead={<AppLink href={paths.customer(account)}>{data?.name ?? account}</AppLink>}
        isLoading={false}
        actions={<Cancellation account={account} reference={po_number} />}
      >
        {outcome}
        <div className={styles.column}>
          <CustomerConversation account={account} about={{ po_number }} />
        </div>
      </Page>
    </ActionsContext>
  )
}

/** An order of which nothing is assigned can be cancelled, for good: it asks. */
function Cancellation({ account, reference }: { account: string; reference: string }) {
  const { bookings: m } = useOfficeMessages()
  const mayOperate = useMayDo('operate')
  const { data } = useQuery(orderQuery(account, reference))
  const draft = `cancel-order ${account} ${reference}`
  const [isAsked, setAsked] = useState(() => hasDraft(draft))
  if (!data) return null
  if (data.record.cancellation) return <StatusBadge tone="planned">{m.orderCancelled}</StatusBadge>
  if (!mayOperate) return null
  const cancel = async (reason: string) => {
    await ops.cancelPurchaseOrder({ params: { account, reference }, body: { reason } })
    return { text: m.orderCancelled }
  }
  return (
    <>
      <Button variant="default" onClick={() => setAsked(true)}>
        {m.cancelOrder}
      </Button>
      {isAsked && (
        <ReasonDialog
          draft={draft}
          title={m.cancelOrder}
          text={m.cancelOrderText}
          confirm={m.cancelOrder}
          onClose={() => setAsked(false)}
          act={cancel}
        />
      )}
    </>
  )
}
