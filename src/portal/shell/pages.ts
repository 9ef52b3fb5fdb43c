import {
  IconClipboardList,
  IconCode,
  IconFiles,
  IconHome2,
  IconMapPin,
  IconPackages,
  IconReceipt2,
  IconSettings,
  IconUsers,
} from '@tabler/icons-react'
import type { Messages } from '../i18n/messages.js'
import { paths } from '../paths.js'

/** The pages that one goes to by themselves. */

type Name = Exclude<keyof Messages['nav'] & keyof typeof paths, 'search'>

export type NavPage = { name: Name; Icon: typeof IconHome2 }

/** What people come for, and what they set up. */
export const mainPages: NavPage[] = [
  { name: 'overview', Icon: IconHome2 },
  { name: 'shipments', Icon: IconPackages },
  { name: 'orders', Icon: IconClipboardList },
  { name: 'invoices', Icon: IconReceipt2 },
  { name: 'documents', Icon: IconFiles },
  { name: 'locations', Icon: IconMapPin },
]
export const furtherPages: NavPage[] = [
  { name: 'developers', Icon: IconCode },
  { name: 'team', Icon: IconUsers },
  { name: 'settings', Icon: IconSettings },
]

export function addressOf({ name }: NavPage): string {
  return paths[name]()
}

/** Whether an address belongs to a page, or lies below it. */
export function isWithin(pathname: string, page: NavPage): boolean {
  const address = addressOf(page)
  return pathname === address || (address !== '/' && pathname.startsWith(`${address}/`))
}
