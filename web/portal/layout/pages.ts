import {
  IconAlertTriangle,
  IconBell,
  IconCalendarDown,
  IconClipboardList,
  IconCode,
  IconFiles,
  IconHistory,
  IconHome2,
  IconMapPin,
  IconPackages,
  IconReceipt2,
  IconSettings,
  IconUsers,
} from '@tabler/icons-react'
import type { PersonRole } from '../../../src/contract/portal/people.js'
import { mayInPortal, type PortalRight } from '../../../src/contract/portal/rights.js'
import type { Messages } from '../i18n/messages.js'
import { paths } from '../paths.js'

/** The pages of the navigation. */

type Name = Exclude<keyof Messages['nav'] & keyof typeof paths, 'search'>

/** `right`: only people who have it see the page. */
export type NavPage = { name: Name; Icon: typeof IconHome2; right?: PortalRight }

export const mainPages: NavPage[] = [
  { name: 'overview', Icon: IconHome2 },
  { name: 'exceptions', Icon: IconAlertTriangle },
  { name: 'shipments', Icon: IconPackages },
  { name: 'orders', Icon: IconClipboardList },
  { name: 'inbound', Icon: IconCalendarDown },
  { name: 'invoices', Icon: IconReceipt2 },
  { name: 'documents', Icon: IconFiles },
  { name: 'locations', Icon: IconMapPin },
]
export const furtherPages: NavPage[] = [
  { name: 'developers', Icon: IconCode },
  { name: 'team', Icon: IconUsers },
  { name: 'audit', Icon: IconHistory, right: 'administer' },
  { name: 'settings', Icon: IconSettings },
]

/** The bell. */
export const bellPage: NavPage = { name: 'notifications', Icon: IconBell }

export function addressOf({ name }: NavPage): string {
  return paths[name]()
}

export function isOpenTo(role: PersonRole, { right }: NavPage): boolean {
  return right === undefined || mayInPortal(role, right)
}

/** Whether a path is that of a page or below it. */
export function isWithin(pathname: string, page: NavPage): boolean {
  const address = addressOf(page)
  return pathname === address || (address !== '/' && pathname.startsWith(`${address}/`))
}
