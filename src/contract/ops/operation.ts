import { type Operation, refusalsAnywhere, refusalsWithBody } from '../operation.js'
import type { RefusalCode } from '../refusals.js'
import type { OperatorRole } from './accounts.js'

/** What an operator must be allowed to do, and which roles are. */
export const rights = {
  read: ['admin', 'operations', 'finance', 'viewer'],
  operate: ['admin', 'operations'],
  invoice: ['admin', 'finance'],
  administer: ['admin'],
} as const satisfies Record<string, OperatorRole[]>
export type Right = keyof typeof rights

export const operatorTags = [
  ['Operators', 'Who is calling.'],
  ['Accounts', 'The customers of the forwarder, and the keys of their systems.'],
  ['Locations', 'Pick-up and delivery locations.'],
  ['Shipments', 'Shipments and their statuses.'],
  ['Purchase orders', 'Orders of customers, and what of them is on which shipment.'],
  ['Tracking', 'The plan of a shipment, and what is known of it.'],
  ['Invoices', 'Invoices, credit notes and payments.'],
  ['Documents', 'Papers and their bytes.'],
  ['History', 'What was when, and by whom.'],
  ['Import', 'Many things at once.'],
] as const

export type OperatorOperation = Operation & {
  tag: (typeof operatorTags)[number][0]
  right: Right
  /** How its body is sent: JSON, a form with a file, or lines. */
  accepts?: 'form' | 'lines'
  /** What it answers with: JSON, or a file. */
  answers?: 'file'
  /** Its answer shows a key: it is not kept in the clear. */
  answersSecret?: true
}

export function mayDo(role: OperatorRole, right: Right): boolean {
  return (rights[right] as readonly OperatorRole[]).includes(role)
}

/** Import lines say the same when they are sent again: no answer to them is kept. */
export function takesIdempotencyKey({ method, accepts }: OperatorOperation): boolean {
  return method !== 'GET' && accepts !== 'lines'
}

export function operatorRefusalsOf(operation: OperatorOperation): RefusalCode[] {
  const inAccount: RefusalCode[] = operation.path.includes('{account}') ? ['account_not_found'] : []
  const writes: RefusalCode[] = takesIdempotencyKey(operation) ? ['idempotency_key_reused'] : []
  const codes = [
    ...operation.refusals,
    ...inAccount,
    ...refusalsAnywhere,
    'insufficient_role' as const,
    ...writes,
    ...(operation.method === 'GET' || operation.accepts === 'lines' ? [] : refusalsWithBody),
  ]
  return [...new Set(codes)]
}
