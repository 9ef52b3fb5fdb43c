import type { Example } from '../openapi.js'
import type { conversationOperations } from './conversations.js'

const account = 'nordlicht'
const svc_shipment_id = 'SHP-MYXAAF'

/** Examples of the operations on messages with customers. */
export const conversationExamples = {
  postCustomerMessage: {
    params: { account },
    body: { svc_shipment_id, text: 'Delivery is planned for Thursday morning. Does that suit you?' },
  },
  listConversations: { query: { unanswered: 'true', take: 50 } },
  listCustomerMessages: { params: { account }, query: { svc_shipment_id } },
  uploadMessageFile: { params: { account }, body: { file: 'delivery slot.pdf' } },
  settleConversation: { params: { account }, body: { svc_shipment_id } },
  receiveMail: {
    body: 'From: Kim <kim@nordlicht.example>\r\nTo: reply+1-0k3v9x8c2m7q4w6e1r5t0y3u2i9o8p7a@forwarder.example\r\nMessage-ID: <c1@nordlicht.example>\r\n\r\nThursday suits us.\r\n',
    response: { account, message_id: 'msg_5f0c9a7e31d2b8460c1d', repeated: false },
  },
} satisfies Record<keyof typeof conversationOperations, Example>
