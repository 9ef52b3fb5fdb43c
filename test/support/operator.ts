import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { sendTo } from '../../src/client/client.js'
import type { OperatorRole } from '../../src/contract/operator/accounts.js'
import { type OperatorOperation, operatorRefusalsOf } from '../../src/contract/operator/operation.js'
import {
  type OperatorBody,
  type OperatorOperationName,
  type OperatorParams,
  type OperatorQuery,
  type OperatorResponse,
  operatorOperations,
} from '../../src/contract/operator/operations.js'
import { OperatorProblem, type Problem, problemMediaType } from '../../src/contract/problem.js'
import { validatorOf } from '../../src/contract/validation.js'
import type { AccountId } from '../../src/database/account-id.js'
import { createOperatorWithKey } from '../../src/usecases/accounts/create-operator.js'
import { evaluateBefore } from './exceptions.js'
import { learnedFrom, sendExample, sentExamples } from './operator-examples.js'
import type { RunningService } from './service.js'

export type OperatorCallInput<Name extends OperatorOperationName> = {
  params?: Omit<NonNullable<OperatorParams<Name>>, 'account'> & { account?: string }
  query?: OperatorQuery<Name>
  body?: OperatorBody<Name>
  idempotencyKey?: string
  ifNoneMatch?: string
}

export type OperatorCallResponse<Name extends OperatorOperationName> = {
  status: number
  headers: Headers
  text: string
  body: OperatorResponse<Name>
  problem: Problem
}

export type TestOperator = Awaited<ReturnType<typeof newOperator>>

/** A new operator with a key. */
export async function newOperator(service: RunningService, role: OperatorRole = 'admin', accounts?: AccountId[]) {
  const { key, operator_id } = await createOperatorWithKey(service.db, { name: `Test ${role}`, role, accounts })

  /** Calls an operation, for an account by its slug. Every response is validated against the contract. */
  async function ops<Name extends OperatorOperationName>(
    name: Name,
    account: string | undefined,
    input: OperatorCallInput<Name> = {},
  ): Promise<OperatorCallResponse<Name>> {
    const operation: OperatorOperation = operatorOperations[name]
    const params = { ...(account !== undefined && { account }), ...input.params }
    const response = await sendTo({ baseUrl: service.baseUrl, key }, operation, { ...input, params })
    return checkedOperatorResponse(name, response)
  }

  /** Sends a form with a file. */
  async function sendFile<Name extends 'uploadDocument' | 'replaceDocument'>(
    name: Name,
    account: string,
    params: Record<string, string>,
    file: { name: string; bytes: Buffer | Uint8Array },
    fields: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<OperatorCallResponse<Name>> {
    const { method, path } = operatorOperations[name]
    const values: Record<string, string> = { account, ...params }
    const address = path.replaceAll(/\{(\w+)\}/g, (_, each: string) => encodeURIComponent(values[each] ?? ''))
    const form = new FormData()
    for (const [field, value] of Object.entries(fields)) form.set(field, value)
    form.set('file', new Blob([Uint8Array.from(file.bytes)]), file.name)
    const response = await fetch(service.baseUrl + address, {
      method,
      body: form,
      headers: { authorization: `Bearer ${key}`, ...headers },
    })
    return checkedOperatorResponse(name, response)
  }
  return { key, operator_id, role, ops, sendFile }
}

/** An account in which all examples were executed, and the operator who did. */
export async function accountWithExamples(
  service: RunningService,
): Promise<{ slug: string; id: number; operator_id: string }> {
  const { baseUrl, db } = service
  const slug = `lived-${randomBytes(6).toString('hex')}`
  const { key, operator_id } = await newOperator(service)
  let learned: Record<string, string> = {}
  for (const name of sentExamples) {
    await evaluateBefore(service, name, slug)
    const response = await sendExample({ baseUrl, key }, name, { account: slug, ...learned })
    expect(response.ok, name).toBe(true)
    learned = { ...learned, ...(await learnedFrom(name, response)) }
  }
  const [row] = await db<{ id: number }[]>`select account_id as id from accounts where slug = ${slug}`
  return { slug, id: row?.id as number, operator_id }
}

const problem = validatorOf(OperatorProblem)
const successes = new Map(
  Object.entries(operatorOperations).map(([name, { success }]) => [name, validatorOf(success.body)]),
)

export async function checkedOperatorResponse<Name extends OperatorOperationName>(
  name: Name,
  response: Response,
): Promise<OperatorCallResponse<Name>> {
  const operation: OperatorOperation = operatorOperations[name]
  const text = await response.text()
  expect(response.headers.get('x-request-id')).toMatch(/^req_\w+$/)
  const isFile = operation.returns === 'file' && response.ok
  const json: unknown = text === '' || isFile ? undefined : JSON.parse(text)
  if (response.status >= 400) {
    expect(response.headers.get('content-type')).toContain(problemMediaType)
    expect(problem.faultsIn(json)).toEqual([])
    expect((json as Problem).status).toBe(response.status)
    expect(operatorRefusalsOf(operation)).toContain((json as Problem).code)
  } else if (response.status === 304) {
    expect(text).toBe('')
  } else {
    expect(response.status).toBe(operation.success.status)
    if (!isFile) expect(successes.get(name)?.faultsIn(json)).toEqual([])
  }
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: json as OperatorResponse<Name>,
    problem: json as Problem,
  }
}
