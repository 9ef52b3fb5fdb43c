import { infiniteQueryOptions } from '@tanstack/react-query'
import type { SubjectFields } from '../../../src/contract/public/message.js'
import { olderPages } from '../../ui/conversation/pages.js'
import { api } from './client.js'

/** The messages about a shipment or an order, newest first. */
export const conversationQuery = (about: SubjectFields) =>
  infiniteQueryOptions({
    queryKey: ['message', about],
    queryFn: ({ pageParam: skip, signal }) => api.portal.getConversation({ query: { ...about, skip }, signal }),
    ...olderPages,
  })
