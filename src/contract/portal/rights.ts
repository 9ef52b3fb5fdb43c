import type { PersonRole } from './people.js'

/** What somebody must be allowed to do in their account, and which roles are. */
export const portalRights = {
  read: ['admin', 'member', 'viewer'],
  write: ['admin', 'member'],
  administer: ['admin'],
} as const satisfies Record<string, PersonRole[]>
export type PortalRight = keyof typeof portalRights

export function mayInPortal(role: PersonRole, right: PortalRight): boolean {
  return (portalRights[right] as readonly PersonRole[]).includes(role)
}
