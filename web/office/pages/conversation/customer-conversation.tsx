import { infiniteQueryOptions, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { readResponse } from '../../../../src/client/response.js'
import type { SubjectFields } from '../../../../src/contract/public/message.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import { Button } from '../../../ui/button.js'
import type { SentFile } from '../../../ui/conversation/composer.js'
import { Conversation } from '../../../ui/conversation/conversation.js'
import { joined, olderPages } from '../../../ui/conversation/pages.js'
import { useActions } from '../../actions/use-actions.js'
import { ops, options, useMayDo } from '../../api/ops.js'

type Props = { account: string; about: SubjectFields }

const conversationQuery = ({ account, about }: Props) =>
  infiniteQueryOptions({
    queryKey: ['conversation', account, about],
    queryFn: ({ pageParam: skip, signal }) =>
      ops.listCustomerMessages({ params: { account }, query: { ...about, skip }, signal }),
    ...olderPages,
    refetchInterval: 15_000,
  })

/** The messages with a customer about a shipment or an order. */
export function CustomerConversation({ account, about }: Props) {
  const m = useMessages().conversation
  const client = useQueryClient()
  const mayOperate = useMayDo('operate')
  const { run, isBusy } = useActions()
  const { data, error, refetch, fetchNextPage } = useInfiniteQuery(conversationQuery({ account, about }))
  const conversation = joined(data?.pages)
  const params = { account }
  const changed = async () => {
    await client.invalidateQueries({ queryKey: ['conversation', account] })
    await client.invalidateQueries({ queryKey: ['work'] })
  }
  const settle = () =>
    run(async () => {
      await ops.settleConversation({ params, body: about })
      await changed()
      return { text: m.settled }
    })
  return (
    <Conversation
      side="forwarder"
      conversation={conversation}
      error={error}
      retry={() => void refetch()}
      onOlder={() => void fetchNextPage()}
      aside={
        conversation?.unanswered_since !== undefined &&
        mayOperate && (
          <Button size="xs" variant="default" disabled={isBusy} onClick={() => void settle()}>
            {m.needsNoAnswer}
          </Button>
        )
      }
      write={
        mayOperate
          ? {
              draft: `${account} ${about.svc_shipment_id ?? ''} ${about.po_number ?? ''}`,
              upload: (file) => uploadFile(account, file),
              async send(message) {
                await ops.postCustomerMessage({ params, body: { ...about, ...message } })
                await changed()
              },
            }
          : undefined
      }
    />
  )
}

async function uploadFile(account: string, file: File): Promise<SentFile> {
  const body = new FormData()
  body.set('file', file)
  const address = `/ops/v1/accounts/${encodeURIComponent(account)}/messageFiles`
  return (await readResponse(options.fetch(address, { method: 'POST', body }))).data as SentFile
}
