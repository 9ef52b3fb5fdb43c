import {
  IconAdjustments,
  IconBuilding,
  IconCalendarPlus,
  IconFiles,
  IconInbox,
  IconPackages,
  IconReceipt,
  IconRss,
  IconUser,
  IconWebhook,
} from '@tabler/icons-react'
import type { OfficeMessages } from '../i18n/messages.js'
import { paths } from '../paths.js'

/** The pages of the navigation. */

type Name = Exclude<keyof typeof paths, 'customer' | 'shipment' | 'grid' | 'invoice'> & keyof OfficeMessages['nav']
export type NavPage = { name: Name; Icon: typeof IconInbox }

export const pages: NavPage[] = [
  { name: 'work', Icon: IconInbox },
  { name: 'bookings', Icon: IconCalendarPlus },
  { name: 'shipments', Icon: IconPackages },
  { name: 'documents', Icon: IconFiles },
  { name: 'billing', Icon: IconReceipt },
  { name: 'feeds', Icon: IconRss },
  { name: 'webhooks', Icon: IconWebhook },
  { name: 'customers', Icon: IconBuilding },
  { name: 'settings', Icon: IconAdjustments },
  { name: 'profile', Icon: IconUser },
]

export function addressOf({ name }: NavPage): string {
  return paths[name]()
}

/** Whether a path is that of a page or below it. */
export function isWithin(pathname: string, page: NavPage): boolean {
  const address = addressOf(page)
  return pathname === address || (page.name !== 'work' && pathname.startsWith(`${address}/`))
}
