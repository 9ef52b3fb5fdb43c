import { randomBytes, randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { type ClientInput, send } from '../../src/client/client.js'
import type { ImportLine } from '../../src/contract/import-line.js'
import type { Operation } from '../../src/contract/operation.js'
import { Problem, problemMediaType } from '../../src/contract/problem.js'
import {
  type OperationName,
  operations,
  type ResponseOf,
  refusalsOf,
  type Scope,
} from '../../src/contract/public/operations.js'
import { validatorOf } from '../../src/contract/validation.js'
import { type ImportOutcome, importLines } from '../../src/ingest/lines/import.js'
import type { LineFault } from '../../src/ingest/lines/report.js'
import { createAccount } from '../../src/usecases/accounts/create-account.js'
import { issueKey } from '../../src/usecases/accounts/create-key.js'
import type { RunningService } from './service.js'

export type Answer<Name extends OperationName> = {
  status: number
  headers: Headers
  text: string
  /** The body of a success; of a refusal it is in `problem`. */
  body: ResponseOf<Name>
  problem: Problem
}

/** An import line without the account. */
export type Line = ImportLine extends infer One
  ? One extends { kind: infer Kind; data: infer Data }
    ? { kind: Kind; data: Data }
    : never
  : never

export type TestAccount = Awaited<ReturnType<typeof newAccount>>

/** A new account with a key, which isolates tests from each other. */
export async function newAccount(service: RunningService, options: { scopes?: Scope[] } = {}) {
  const slug = `test-${randomBytes(6).toString('hex')}`
  const id = await createAccount(service.db, slug, `Account ${slug}`)
  if (id === undefined) throw new Error('the account exists already')
  const { key, key_id } = await issueKey(service.db, id, { scopes: options.scopes ?? ['read', 'write'], name: 'test' })

  /** Calls an operation. Every response is validated against the contract. */
  async function call<Name extends OperationName>(name: Name, input?: ClientInput<Name>): Promise<Answer<Name>> {
    return checked(name, await send({ baseUrl: service.baseUrl, key }, name, input))
  }

  /** The same account on another service with the same database. */
  async function callAt<Name extends OperationName>(
    { baseUrl }: RunningService,
    name: Name,
    input?: ClientInput<Name>,
  ): Promise<Answer<Name>> {
    return checked(name, await send({ baseUrl, key }, name, input))
  }

  const forwarder = {
    /** Imports lines into the account; all of them must be valid. */
    async imports(...lines: Line[]): Promise<ImportOutcome> {
      const { outcome, faults } = await forwarder.triesToImport(...lines)
      expect(faults).toEqual([])
      return outcome
    },
    async triesToImport(...lines: Line[]): Promise<{ outcome: ImportOutcome; faults: LineFault[] }> {
      const faults: LineFault[] = []
      const text = lines.map((given) => `${JSON.stringify({ ...given, account: slug })}\n`).join('')
      const outcome = await importLines(service, bytesOf(text), {
        folder: service.dataFolder,
        skipInvalid: false,
        author: 'test',
        onFault: (fault) => faults.push(fault),
      })
      return { outcome, faults }
    },
    /** An order with one line, partly assigned to a shipment. */
    async anAssignedOrder(): Promise<{ reference: string; svc_shipment_id: string }> {
      const reference = `PO-${randomUUID()}`
      const svc_shipment_id = `SHP-${randomUUID()}`
      await forwarder.imports(
        { kind: 'shipment', data: { svc_shipment_id, status: 'booked' } },
        {
          kind: 'purchase_order',
          data: { reference, product_lines: [line({ reference: '1', ordered_quantity: 10 })] },
        },
        { kind: 'assignment', data: { reference, line: '1', svc_shipment_id, assigned_quantity: 4 } },
      )
      return { reference, svc_shipment_id }
    },
  }
  return { slug, id, key, key_id, call, callAt, forwarder, baseUrl: service.baseUrl }
}

/** A valid order line; tests override what they are about. */
export function line(given: Partial<{ reference: string; ordered_quantity: number; sku: string }> = {}) {
  const { sku = 'SKU-1', ordered_quantity = 10, ...rest } = given
  return { ...rest, ordered_quantity, product: { sku } }
}

async function* bytesOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}

const problem = validatorOf(Problem)
const successes = new Map(
  Object.entries(operations).map(([name, { success }]) => [name, validatorOf((success as Operation['success']).body)]),
)

async function checked<Name extends OperationName>(name: Name, response: Response): Promise<Answer<Name>> {
  const operation: Operation = operations[name]
  const text = await response.text()
  const json: unknown = text === '' ? undefined : JSON.parse(text)
  expect(response.headers.get('x-request-id')).toMatch(/^req_\w+$/)
  if (response.status >= 400) {
    expect(response.headers.get('content-type')).toContain(problemMediaType)
    expect(problem.faultsIn(json)).toEqual([])
    expect((json as Problem).status).toBe(response.status)
    expect(refusalsOf(operation)).toContain((json as Problem).code)
  } else if (response.status !== 304) {
    expect(response.status).toBe(operation.success.status)
    expect(successes.get(name)?.faultsIn(json)).toEqual([])
  } else {
    expect(text).toBe('')
  }
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: json as ResponseOf<Name>,
    problem: json as Problem,
  }
}
