import type { OperatorRole } from './accounts.js'

/** Rights, and the roles that have them. */
export const rights = {
  read: ['admin', 'operations', 'finance', 'viewer'],
  operate: ['admin', 'operations'],
  handle: ['admin', 'operations', 'finance'],
  invoice: ['admin', 'finance'],
  administer: ['admin'],
} as const satisfies Record<string, OperatorRole[]>
export type Right = keyof typeof rights

export function mayDo(role: OperatorRole, right: Right): boolean {
  return (rights[right] as readonly OperatorRole[]).includes(role)
}
