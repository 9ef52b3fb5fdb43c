import { AppLink } from '../../../ui/app-link.js'
import { paths } from '../../paths.js'
import { CustomerConversation } from '../conversation/customer-conversation.js'
import styles from './work.module.css'
import type { ItemOf } from './work-item.js'

/** A conversation that waits for an answer, which is written here. */
export function ConversationPanel({ item }: { item: ItemOf<'conversation'> }) {
  const { account, account_name, svc_shipment_id, po_number } = item.conversation
  const about = svc_shipment_id === undefined ? { po_number: po_number ?? '' } : { svc_shipment_id }
  return (
    <>
      <p className={styles.sentence}>
        {account_name}{' '}
        {svc_shipment_id === undefined ? (
          <AppLink href={paths.order(account, po_number ?? '')} className="mono">
            {po_number}
          </AppLink>
        ) : (
          <AppLink href={paths.shipment(account, svc_shipment_id)} className="mono">
            {svc_shipment_id}
          </AppLink>
        )}
      </p>
      <CustomerConversation key={item.key} account={account} about={about} />
    </>
  )
}
