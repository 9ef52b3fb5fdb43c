import { queryOptions } from '@tanstack/react-query'
import { api } from './client.js'

export const webhooksQuery = () =>
  queryOptions({ queryKey: ['webhooks'], queryFn: ({ signal }) => api.v1.listWebhooks({ signal }) })

export const deliveriesQuery = (webhook_id: string) =>
  queryOptions({
    queryKey: ['webhooks', webhook_id, 'deliveries'],
    queryFn: ({ signal }) => api.v1.listWebhookDeliveries({ params: { webhook_id }, query: { take: 50 }, signal }),
    // Deliveries are no changes of the account: the stream does not report them.
    refetchInterval: 5000,
  })
