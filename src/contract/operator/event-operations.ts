import { AccountEventQuery, AccountEvents } from './events.js'
import type { OperatorOperation } from './operation.js'

export const eventOperations = {
  listEvents: {
    method: 'GET',
    path: '/ops/v1/events',
    covers: 'own_accounts',
    tag: 'Events',
    right: 'read',
    isFeed: true,
    summary: 'Read what customers see change in all accounts, each change once, and those of an account in order',
    query: AccountEventQuery,
    success: { status: 200, body: AccountEvents },
    refusals: ['cursor_expired', 'account_not_found'],
  },
} as const satisfies Record<string, OperatorOperation>
