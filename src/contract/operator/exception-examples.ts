import type { Example } from '../openapi.js'
import type { exceptionOperations } from './exception-operations.js'
import type { workOperations } from './work.js'

const account = 'nordlicht'
const exception = { account, exception_id: 'e47c4e686d72e7dd9e57-1' }

/** Examples of the operations on exceptions. */
export const exceptionExamples = {
  listExceptions: { query: { state: 'open', kind: 'order_at_risk', take: 50 } },
  listAccountExceptions: { params: { account }, query: { state: 'open' } },
  getException: { params: exception },
  actOnException: { params: exception, body: { action: 'assign', owner: 'Jette Claußen', note: 'Asked the carrier' } },
  actOnExceptions: {
    body: { action: 'acknowledge', note: 'The carrier answers on Monday', exceptions: [exception] },
  },
  countWork: { query: { owner: '', state: 'new' } },
  listWorkItems: { query: { owner: 'Jette Claußen', take: 100 } },
  actOnWorkItems: {
    body: { action: 'assign', owner: 'Jette Claußen', items: [{ kind: 'order', item: 'PO-10001', account }] },
  },
  getExceptionRules: {},
  setExceptionRules: { body: { thresholds: { late_critical_days: 3 }, kinds: { no_news: { enabled: true } } } },
  getAccountExceptionRules: { params: { account } },
  setAccountExceptionRules: {
    params: { account },
    body: { kinds: { invoice_overdue: { shown_to_customers: false } } },
  },
} satisfies Record<keyof typeof exceptionOperations | keyof typeof workOperations, Example>
