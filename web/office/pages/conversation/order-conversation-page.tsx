import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMessages } from '../../../portal/i18n/messages.js'
import { AppLink } from '../../../ui/app-link.js'
import { BackLink } from '../../../ui/back-link.js'
import { Page } from '../../../ui/page.js'
import { ActionsContext, useActionState } from '../../actions/use-actions.js'
import { accountQuery } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import styles from '../shipment/file.module.css'
import { CustomerConversation } from './customer-conversation.js'

/** The messages with a customer about an order, which mails to staff link to. */
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
      >
        {outcome}
        <div className={styles.column}>
          <CustomerConversation account={account} about={{ po_number }} />
        </div>
      </Page>
    </ActionsContext>
  )
}
