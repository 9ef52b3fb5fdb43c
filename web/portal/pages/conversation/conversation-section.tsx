import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { SubjectFields } from '../../../../src/contract/public/message.js'
import { Conversation } from '../../../ui/conversation/conversation.js'
import { joined } from '../../../ui/conversation/pages.js'
import { api } from '../../api/client.js'
import { conversationQuery } from '../../api/conversation-query.js'
import { useMay } from '../../api/session.js'

// Not to be mistaken for the one of windows.
const { postMessage: sendMessage } = api.v1

/** The messages with the forwarder about a shipment or an order. They are read once they were on the screen. */
export function ConversationSection({ about }: { about: SubjectFields }) {
  const client = useQueryClient()
  const mayWrite = useMay('write')
  const query = conversationQuery(about)
  const { data, error, refetch, fetchNextPage } = useInfiniteQuery(query)
  const conversation = joined(data?.pages)
  const unread = conversation && conversation.unread > 0 ? conversation.messages[0]?.message_id : undefined
  const frame = useReadMark(unread, async (id) => {
    await api.portal.markConversationRead({ body: { ...about, message_id: id } })
    await client.invalidateQueries({ queryKey: ['notifications'] })
  })
  return (
    <div ref={frame}>
      <Conversation
        side="account"
        conversation={conversation}
        error={error}
        retry={() => void refetch()}
        onOlder={() => void fetchNextPage()}
        write={
          mayWrite
            ? {
                draft: `${about.svc_shipment_id ?? ''} ${about.po_number ?? ''}`,
                upload(file) {
                  const body = new FormData()
                  body.set('file', file)
                  return api.v1.uploadMessageFile({ body })
                },
                async send(message) {
                  await sendMessage({ body: { ...about, ...message } })
                  await client.invalidateQueries({ queryKey: query.queryKey })
                },
              }
            : undefined
        }
      />
    </div>
  )
}

/** Marks a message as read when the element is seen. The count stays until the messages are fetched again. */
function useReadMark(message: string | undefined, mark: (message: string) => Promise<void>) {
  const frame = useRef<HTMLDivElement>(null)
  const latest = useRef(mark)
  latest.current = mark
  useEffect(() => {
    const element = frame.current
    if (!element || message === undefined) return
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      observer.disconnect()
      // A message that stays unread is marked with the next ones.
      void latest.current(message).catch(() => undefined)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [message])
  return frame
}
