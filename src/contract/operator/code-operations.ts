import { Type } from 'typebox'
import { take } from '../operation.js'
import { closed, oneOf, patterned } from '../schema.js'
import { CodeMapping, codeFormats, MappedCode, SenderCodes } from './codes.js'
import { Sender } from './messages.js'
import type { OperatorOperation } from './operation.js'
import { handledFilter } from './work-filter.js'

const code = closed({
  sender: Sender,
  format: oneOf(codeFormats),
  code: patterned('^[^\\x00-\\x20\\x7f][^\\x00-\\x1f\\x7f]{0,99}$', 'must be 1 to 100 printable characters'),
})

/** Status codes of senders that are not known, and their meaning. */
export const codeOperations = {
  listCodes: {
    method: 'GET',
    path: '/ops/v1/codes',
    covers: 'no_account',
    tag: 'Messages',
    right: 'read',
    summary: 'List status codes of senders that are not known, or that operators have mapped',
    query: closed(
      {},
      {
        sender: Sender,
        format: oneOf(codeFormats),
        state: oneOf(['unknown', 'mapped'] as const),
        ...handledFilter,
        after: Type.String({ maxLength: 600, description: 'Cursor: `next` of the previous page.' }),
        take: take(200, { default: 50 }),
      },
    ),
    success: { status: 200, body: SenderCodes },
    refusals: [],
  },
  mapCode: {
    method: 'PUT',
    path: '/ops/v1/codes/{sender}/{format}/{code}',
    covers: 'all_accounts',
    tag: 'Messages',
    right: 'operate',
    summary: 'Say what a status code of a sender means; messages with it are processed again, without doubling',
    params: code,
    body: CodeMapping,
    recordsAudit: true,
    success: { status: 200, body: MappedCode },
    refusals: [],
  },
  unmapCode: {
    method: 'DELETE',
    path: '/ops/v1/codes/{sender}/{format}/{code}',
    covers: 'all_accounts',
    tag: 'Messages',
    right: 'operate',
    summary: 'Remove the meaning of a status code; messages with it are processed again',
    params: code,
    recordsAudit: true,
    success: { status: 200, body: MappedCode },
    refusals: ['code_not_mapped'],
  },
} as const satisfies Record<string, OperatorOperation>
