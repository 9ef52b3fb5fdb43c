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

/** The pages of the navigation. */

type Name = Exclude<keyof Messages['nav'] & keyof typeof paths, 'search'>

export type NavPage = { name: Name; Icon: typeof IconHome2 }

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

/** Whether a path is that of a page or below it. */
export function isWithin(pathname: string, page: NavPage): boolean {
  const address = addressOf(page)
  return pathname === address || (address !== '/' && pathname.startsWith(`${address}/`))
}
