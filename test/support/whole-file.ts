import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { type Forwarding, startForwarding } from './forwarder.js'
import { checkedOperatorResponse } from './operator.js'
import type { RunningService } from './service.js'

/** A shipment from the first plan to the last event, and what its customer sees after each step. */

export type View = {
  shipment: string | undefined
  tracking: string | undefined
  /** Such as `10 Mar actual`, for the milestones that have a date. */
  pickup?: string
  departure?: string
  arrival?: string
  delivery?: string
}

const milestones = {
  pickup_date: 'pickup',
  departure_date: 'departure',
  arrival_date: 'arrival',
  delivery_date: 'delivery',
} as const
type Milestone = keyof typeof milestones

export function unique(prefix: string): string {
  return `${prefix}${randomBytes(5).toString('hex').toUpperCase()}`
}

export async function startFile(service: RunningService) {
  const forwarding = await startForwarding(service, 'operations')
  await forwarding.work('createLocation', { body: { id: 1, name: 'Factory' } })
  await forwarding.work('createLocation', { body: { id: 2, name: 'Shop' } })

  /** Sends a message; all of it must be of use. */
  async function send(sender: string, format: 'dcsa' | 'events', content: unknown) {
    const response = await fetch(`${service.baseUrl}/ops/v1/messages?format=${format}&sender=${sender}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${forwarding.operatorKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(content),
    })
    const { body } = await checkedOperatorResponse('receiveMessage', response)
    return body
  }
  return { ...forwarding, send }
}

/** What the customer sees of a shipment; every part of `/v1` says the same. */
export async function viewOf({ call, seen }: Forwarding, svc_shipment_id: string): Promise<View> {
  const params = { svc_shipment_id }
  const shipment = await seen(svc_shipment_id)
  const tracking = (await call('getTracking', { params })).body
  const explained = (await call('explainTracking', { params })).body
  const dates = shipment.main_tracking_dates ?? {}
  const shown = Object.fromEntries(
    explained.milestones.flatMap(({ milestone, date }) => (date ? [[milestone, date]] : [])),
  )
  expect(shown).toEqual(dates)
  return {
    shipment: shipment.status,
    tracking: tracking.status,
    ...Object.fromEntries(
      Object.entries(dates).map(([milestone, date]) => [milestones[milestone as Milestone], inWords(date)]),
    ),
  }
}

/** The sentence that explains a date. */
export async function whyOf({ call }: Forwarding, svc_shipment_id: string, milestone: Milestone): Promise<string> {
  const { body } = await call('explainTracking', { params: { svc_shipment_id } })
  return body.milestones.find((each) => each.milestone === milestone)?.sentence ?? ''
}

function inWords({ date, status }: { date?: string; status?: string }): string {
  const [, month = '', day = ''] = /^\d{4}-(\d\d)-(\d\d)/.exec(date ?? '') ?? []
  return `${Number(day)} ${['Jan', 'Feb', 'Mar', 'Apr', 'May'][Number(month) - 1]} ${status}`
}
