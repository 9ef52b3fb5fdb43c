import { Type } from 'typebox'
import { closed } from '../schema.js'
import { Lookup } from './messages.js'
import type { OperatorOperation } from './operation.js'

/** Messages of carriers and others, and the references by which they name shipments. */
export const messageOperations = {
  lookUpReference: {
    method: 'GET',
    path: '/ops/v1/lookup',
    tag: 'Messages',
    right: 'read',
    summary: 'Find the shipments of all accounts that have a reference: container, booking, bill or shipment number',
    query: closed({ reference: Type.String({ minLength: 1, maxLength: 255 }) }),
    success: { status: 200, body: Lookup },
    refusals: [],
  },
} as const satisfies Record<string, OperatorOperation>
