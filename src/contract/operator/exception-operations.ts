import { Type } from 'typebox'
import { skip, take } from '../operation.js'
import { exceptionFilter } from '../public/exception.js'
import { asOf } from '../public/shared-types.js'
import { closed, Identifier } from '../schema.js'
import {
  ExceptionActing,
  ExceptionActingOnMany,
  ExceptionOutcomes,
  ExceptionRules,
  ExceptionSettings,
  ExceptionVersion,
  ExceptionVersions,
  owner,
  states,
} from './exceptions.js'
import type { OperatorOperation } from './operation.js'
import { accountParam, inAccount } from './version.js'

const exception = closed({ ...accountParam, exception_id: Identifier })

/** What needs attention, over all accounts, and the rules by which it is found. */
export const exceptionOperations = {
  listExceptions: {
    method: 'GET',
    path: '/ops/v1/exceptions',
    covers: 'own_accounts',
    tag: 'Exceptions',
    right: 'read',
    summary: 'List exceptions of all accounts, newest first',
    query: closed(
      {},
      {
        ...exceptionFilter,
        account: Identifier,
        state: states,
        owner,
        after: Type.String({ maxLength: 400, description: 'Cursor: `next` of the previous page.' }),
        take: take(200, { default: 50 }),
      },
    ),
    success: { status: 200, body: ExceptionVersions },
    refusals: ['account_not_found'],
  },
  actOnExceptions: {
    method: 'POST',
    path: '/ops/v1/exceptions/actions',
    covers: 'own_accounts',
    tag: 'Exceptions',
    right: 'operate',
    summary: 'Do the same with several exceptions, each with an outcome of its own',
    body: ExceptionActingOnMany,
    recordsAudit: true,
    success: { status: 200, body: ExceptionOutcomes },
    refusals: [],
  },
  listAccountExceptions: {
    method: 'GET',
    path: '/ops/v1/accounts/{account}/exceptions',
    tag: 'Exceptions',
    right: 'read',
    summary: 'List the exceptions of an account, newest first, at present or at an earlier time',
    params: inAccount,
    query: closed({}, { ...exceptionFilter, skip, take: take(100, { default: 20 }), ...asOf }),
    success: { status: 200, body: Type.Array(ExceptionVersion) },
    refusals: [],
  },
  getException: {
    method: 'GET',
    path: '/ops/v1/accounts/{account}/exceptions/{exception_id}',
    tag: 'Exceptions',
    right: 'read',
    summary: 'Get one exception',
    params: exception,
    query: closed({}, asOf),
    success: { status: 200, body: ExceptionVersion },
    refusals: ['exception_not_found', 'version_not_found'],
  },
  actOnException: {
    method: 'POST',
    path: '/ops/v1/accounts/{account}/exceptions/{exception_id}/actions',
    tag: 'Exceptions',
    right: 'operate',
    summary: 'Acknowledge, assign, snooze, wake, close or waive an exception, or add a note',
    params: exception,
    body: ExceptionActing,
    success: { status: 200, body: ExceptionVersion },
    refusals: ['exception_not_found', 'exception_closed', 'exception_not_waivable'],
  },
  getExceptionRules: {
    method: 'GET',
    path: '/ops/v1/exceptionRules',
    covers: 'no_account',
    tag: 'Exceptions',
    right: 'read',
    summary: 'Get the rules by which exceptions are raised',
    success: { status: 200, body: ExceptionSettings },
    refusals: [],
  },
  setExceptionRules: {
    method: 'PUT',
    path: '/ops/v1/exceptionRules',
    covers: 'all_accounts',
    tag: 'Exceptions',
    right: 'administer',
    summary: 'Set what differs from the defaults, for all accounts',
    body: ExceptionRules,
    recordsAudit: true,
    success: { status: 200, body: ExceptionSettings },
    refusals: [],
  },
  getAccountExceptionRules: {
    method: 'GET',
    path: '/ops/v1/accounts/{account}/exceptionRules',
    tag: 'Exceptions',
    right: 'read',
    summary: 'Get the rules by which exceptions of an account are raised',
    params: inAccount,
    success: { status: 200, body: ExceptionSettings },
    refusals: [],
  },
  setAccountExceptionRules: {
    method: 'PUT',
    path: '/ops/v1/accounts/{account}/exceptionRules',
    tag: 'Exceptions',
    right: 'administer',
    summary: "Set what differs from the forwarder's settings for an account",
    params: inAccount,
    body: ExceptionRules,
    recordsAudit: true,
    success: { status: 200, body: ExceptionSettings },
    refusals: [],
  },
} as const satisfies Record<string, OperatorOperation>
