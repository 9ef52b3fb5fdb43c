import type { OperatorRole } from '../../src/contract/ops/accounts.js'
import type { OperatorOperationName } from '../../src/contract/ops/operations.js'
import { newAccount } from './account.js'
import { newOperator, type OperatorCallInput } from './operator.js'
import type { RunningService } from './service.js'

export type Forwarding = Awaited<ReturnType<typeof startForwarding>>

/** A new account, its customer (`call`), and an operator who works on it (`work`). */
export async function startForwarding(service: RunningService, role: OperatorRole = 'admin') {
  const account = await newAccount(service)
  const { key: operatorKey, operator_id, ops, sendFile } = await newOperator(service, role)

  /** Does something as the operator, in the account. */
  function work<Name extends OperatorOperationName>(name: Name, input: OperatorCallInput<Name> = {}) {
    return ops(name, account.slug, input)
  }

  /** The same with a body or a query that is not what the interface accepts. */
  function tries<Name extends OperatorOperationName>(
    name: Name,
    input: { params?: object; query?: object; body?: unknown },
  ) {
    return ops(name, account.slug, input as OperatorCallInput<Name>)
  }

  /** How far the account has got: the same as before means that nothing was changed. */
  async function revision(): Promise<number> {
    const [row] = await service.db<{ revision: number }[]>`
      select revision from accounts where account_id = ${account.id}`
    return row?.revision ?? 0
  }

  /** When the account was changed last. */
  async function lastChange(): Promise<string> {
    const [row] = await service.db<{ at: string }[]>`
      select to_char(changed_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
      from accounts where account_id = ${account.id}`
    return row?.at ?? ''
  }

  async function shipment(body: OperatorCallInput<'createShipment'>['body'] = {}): Promise<string> {
    return (await work('createShipment', { body })).body.id
  }

  /** What the customer sees of a shipment. */
  async function seen(svc_shipment_id: string) {
    return (await account.call('getShipment', { params: { svc_shipment_id } })).body
  }

  return { ...account, operatorKey, operator_id, ops, work, tries, sendFile, revision, lastChange, shipment, seen }
}

/** The pointers of the faults of a refused request. */
export function pointersOf({ problem }: { problem: { errors?: { pointer: string }[] | undefined } }): string[] {
  return (problem.errors ?? []).map(({ pointer }) => pointer)
}
