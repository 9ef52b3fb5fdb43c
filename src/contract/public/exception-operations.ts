import { Type } from 'typebox'
import { skip, take } from '../operation.js'
import { closed } from '../schema.js'
import { Exception, ExceptionNote, exceptionFilter } from './exception.js'
import { asOf } from './shared-types.js'

/** What needs attention: an extension of the interface. */
export const exceptionOperations = {
  listExceptions: {
    method: 'GET',
    path: '/v1/exceptions',
    kind: 'exception',
    list: true,
    summary: 'List what needs attention, newest first: an extension of the interface',
    query: closed({}, { ...exceptionFilter, skip, take: take(1000), ...asOf }),
    success: { status: 200, body: Type.Array(Exception) },
    refusals: [],
  },
  getException: {
    method: 'GET',
    path: '/v1/exceptions/{exception_id}',
    kind: 'exception',
    summary: 'Get one exception: an extension of the interface',
    params: closed({ exception_id: Exception.properties.exception_id }),
    success: { status: 200, body: Exception },
    refusals: ['exception_not_found'],
  },
  acknowledgeException: {
    method: 'POST',
    path: '/v1/exceptions/{exception_id}/acknowledge',
    kind: 'exception',
    summary:
      'Acknowledge an exception; accepts the new dates of a slip, and an order at risk: an extension of the interface',
    params: closed({ exception_id: Exception.properties.exception_id }),
    body: ExceptionNote,
    success: { status: 200, body: Exception },
    refusals: ['exception_not_found', 'exception_closed'],
  },
} as const
