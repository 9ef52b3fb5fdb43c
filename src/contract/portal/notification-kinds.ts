import type { EventType } from '../public/event.js'

/** The values that notifications consist of, without their schemas: the portal loads them with its first page. */

/** Kinds of changes that people choose from. */
export const changeTypes = [
  'shipment.created',
  'shipment.updated',
  'tracking.updated',
  'purchase_order.created',
  'purchase_order.updated',
  'document.created',
  'document.updated',
  'document_proposal.created',
  'document_proposal.updated',
  'invoice.issued',
  'invoice.updated',
  'message.created',
] as const satisfies readonly EventType[]
export type ChangeType = (typeof changeTypes)[number]

export const scopes = ['all', 'view', 'shipment', 'purchase_order'] as const
export type Scope = (typeof scopes)[number]

export const deliveries = ['at_once', 'daily', 'weekly', 'portal'] as const
export type Delivery = (typeof deliveries)[number]

export const stages = ['raised', 'worse', 'cleared'] as const
export type Stage = (typeof stages)[number]

/** Counting stops here. */
export const mostUnread = 100

export function unreadText(count: number): string {
  return count < mostUnread ? String(count) : `${mostUnread - 1}+`
}
