import { expect } from 'vitest'
import { Problem, problemMediaType } from '../../src/contract/problem.js'
import type { RefusalCode } from '../../src/contract/refusals.js'
import { validatorOf } from '../../src/contract/validation.js'
import { line, newAccount, type TestAccount } from './account.js'
import { type RawRequest, type RawResponse, sendRaw } from './raw-http.js'
import type { RunningService } from './service.js'

const problem = validatorOf(Problem)

/** Expects a problem body, whichever layer of the service the response comes from. */
export function problemIn(response: RawResponse, code: RefusalCode): Problem {
  expect(response).toBeRefused(code)
  const body = JSON.parse(response.text) as Problem
  expect(problem.faultsIn(body)).toEqual([])
  expect(response.headers.get('content-type')).toContain(problemMediaType)
  expect(response.headers.get('x-request-id')).toBe(body.request_id)
  return body
}

/** Sends a request with the account's key. Expects a refusal that changes nothing. */
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

/** An account with one order, `PO-1`, that bad requests could change. */
export async function newAccountWithOrder(service: RunningService): Promise<TestAccount> {
  const account = await newAccount(service)
  await account.call('createPurchaseOrder', { body: { reference: 'PO-1', product_lines: [line()] } })
  return account
}

export const json: [string, string] = ['Content-Type', 'application/json']

/** The body of a valid order, with these fields replaced. */
export function order(fields: object): string {
  return JSON.stringify({ reference: 'PO-1', product_lines: [line()], ...fields })
}
