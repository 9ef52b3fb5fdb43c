import { expect } from 'vitest'
import { Problem, problemMediaType } from '../../src/contract/problem.js'
import type { RefusalCode } from '../../src/contract/refusals.js'
import { validatorOf } from '../../src/contract/validation.js'
import { line, newAccount, type TestAccount } from './account.js'
import { type RawAnswer, type RawRequest, sendRaw } from './raw-http.js'
import type { RunningService } from './service.js'

const problem = validatorOf(Problem)

/** It must be a problem body of the interface, whatever level of the service it comes from. */
export function problemIn(answer: RawAnswer, code: RefusalCode): Problem {
  expect(answer).toBeRefused(code)
  const body = JSON.parse(answer.text) as Problem
  expect(problem.faultsIn(body)).toEqual([])
  expect(answer.headers.get('content-type')).toContain(problemMediaType)
  expect(answer.headers.get('x-request-id')).toBe(body.request_id)
  return body
}

/** Sends it with the account's key; it must be refused in the way of the interface, and change nothing. */
export async function refused(
  service: RunningService,
  account: TestAccount,
  request: RawRequest,
  code: RefusalCode,
): Promise<Problem> {
  const before = await stateOf(service, account)
  const headers: RawRequest['headers'] = [['Authorization', `Bearer ${account.key}`], ...(request.headers ?? [])]
  const body = problemIn(await sendRaw(service.baseUrl, { ...request, headers }), code)
  expect(await stateOf(service, account)).toEqual(before)
  return body
}

async function stateOf({ db }: RunningService, { id, call }: TestAccount) {
  const [row] = await db`
    select revision, (select count(*) from changes where account_id = ${id}) as changes
    from accounts where account_id = ${id}`
  return { ...row, orders: (await call('listPurchaseOrders')).text }
}

/** An account with one order, `PO-1`, that bad requests could damage. */
export async function anAccountWithAnOrder(service: RunningService): Promise<TestAccount> {
  const account = await newAccount(service)
  await account.call('createPurchaseOrder', { body: { reference: 'PO-1', product_lines: [line()] } })
  return account
}

export const json: [string, string] = ['Content-Type', 'application/json']

/** The body of a good order, but for these fields. */
export function order(fields: object): string {
  return JSON.stringify({ reference: 'PO-1', product_lines: [line()], ...fields })
}
