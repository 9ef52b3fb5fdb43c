import type { PersonRole } from './people.js'

/** Rights of users in their account, and the roles that have them. */
export const portalRights = {
  read: ['admin', 'member', 'viewer'],
  write: ['admin', 'member'],
  administer: ['admin'],
} as const satisfies Record<string, PersonRole[]>
export type PortalRight = keyof typeof portalRights

export function mayInPortal(role: PersonRole, right: PortalRight): boolean {
  return (portalRights[right] as readonly PersonRole[]).includes(role)
}
