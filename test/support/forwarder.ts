import type { OperatorRole } from '../../src/contract/operator/accounts.js'
import type { OperatorOperationName } from '../../src/contract/operator/operations.js'
import { newAccount } from './account.js'
import { newOperator, type OperatorCallInput } from './operator.js'
import type { RunningService } from './service.js'

export type Forwarding = Awaited<ReturnType<typeof startForwarding>>

/** A new account with its customer (`call`) and an operator (`work`). */
export async function startForwarding(service: RunningService, role: OperatorRole = 'admin') {
  const account = await newAccount(service)
  const { key: operatorKey, operator_id, ops, sendFile } = await newOperator(service, role)

  /** Calls an operation of the operator interface for the account. */
  function work<Name extends OperatorOperationName>(name: Name, input: OperatorCallInput<Name> = {}) {
    return ops(name, account.slug, input)
  }

  /** The same with an invalid body or query. */
  function tries<Name extends OperatorOperationName>(
    name: Name,
    input: { params?: object; query?: object; body?: unknown },
  ) {
    return ops(name, account.slug, input as OperatorCallInput<Name>)
  }

  /** The account's revision, which is unchanged if nothing was written. */
  async function revision(): Promise<number> {
    const [row] = await service.db<{ revision: number }[]>`
      select revision from accounts where account_id = ${account.id}`
    return row?.revision ?? 0
  }

  /** Time of the last change. */
  async function lastChange(): Promise<string> {
    const [row] = await service.db<{ at: string }[]>`
      select to_char(changed_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
      from accounts where account_id = ${account.id}`
    return row?.at ?? ''
  }

  async function shipment(body: OperatorCallInput<'createShipment'>['body'] = {}): Promise<string> {
    return (await work('createShipment', { body })).body.id
  }

  /** A shipment as the customer sees it. */
  async function seen(svc_shipment_id: string) {
    return (await account.call('getShipment', { params: { svc_shipment_id } })).body
  }

  return { ...account, operatorKey, operator_id, ops, work, tries, sendFile, revision, lastChange, shipment, seen }
}

/** The error pointers of a refused request. */
export function pointersOf({ problem }: { problem: { errors?: { pointer: string }[] | undefined } }): string[] {
  return (problem.errors ?? []).map(({ pointer }) => pointer)
}
