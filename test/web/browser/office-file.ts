import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { EventCode } from '../../../src/contract/public/event-codes.js'
import { newAccount } from '../../support/account.js'
import { newOperatorPerson } from '../../support/office.js'
import { testPassword } from '../../support/person.js'
import { type TestPortal } from './support.js'

/** A shipment from its first plan to its last event, worked on by the office's screens alone. */

const milestones = { 'Pick-up': 'pickup', Departure: 'departure', Arrival: 'arrival', Delivery: 'delivery' } as const

/** Such as `2026-03-10 actual`, and where the shipment stands. */
export type Seen = Partial<Record<'status' | (typeof milestones)[keyof typeof milestones], string>>

export type FileEvent = {
  /** The place of the route, from 1. */
  at: number
  code: EventCode
  status?: 'actual' | 'estimated' | 'planned' | 'problem'
  /** `03-10T08:00`, by the clock of the place. */
  on: string
  container?: string
  words?: string
}

export type NewShipment = {
  mode: 'ocean' | 'air' | 'truck'
  load?: 'fcl' | 'lcl'
  /** By the labels of the form. */
  fields?: Record<string, string>
  containers?: string[]
}

/** Someone of operations, and a customer with a factory and a shop. */
export async function startScreens({ service, forwarder, newPage }: TestPortal) {
  const { slug, call } = await newAccount(service)
  await forwarder.ops('createLocation', slug, { body: { id: 1, name: 'Factory' } })
  await forwarder.ops('createLocation', slug, { body: { id: 2, name: 'Shop' } })
  const page = await newPage()
  const { email } = await newOperatorPerson(service, 'operations', { name: 'Olga Ops' })
  await page.context().request.post('/office/v1/session', { data: { email, password: testPassword } })
  return { slug, call, page }
}

/** Creates a shipment that is booked, and returns its number; its file is open. */
export async function createByScreen(page: Page, slug: string, shipment: NewShipment): Promise<string> {
  await page.goto(`/office/bookings/new?account=${slug}&blank=true`)
  await page.getByLabel('Mode').selectOption(shipment.mode)
  if (shipment.load) await page.getByLabel('Load type').selectOption(shipment.load)
  await page.getByLabel('Status').selectOption('booked')
  await page.getByLabel('Cargo ready').fill('2026-03-01')
  for (const [label, value] of Object.entries(shipment.fields ?? {})) await page.getByLabel(label).fill(value)
  for (const [index, number] of (shipment.containers ?? []).entries()) {
    await page.getByRole('button', { name: 'Add unit' }).click()
    await page.getByLabel(`Number, Unit ${index + 1}`).fill(number)
  }
  await page.getByRole('button', { name: 'Create shipment' }).click()
  await page.getByRole('button', { name: 'Plan the route' }).waitFor()
  return decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? '')
}

/** Plans pick-up, these ports and delivery, by keyboard where there is a key. */
export async function planByScreen(page: Page, ports: string[]): Promise<void> {
  await page.keyboard.press('r')
  const dialog = page.getByRole('dialog', { name: 'Edit route' })
  for (let more = ports.length + 2 - 2; more > 0; more -= 1)
    await dialog.getByRole('button', { name: 'Add place' }).click()
  const last = ports.length + 2
  const typeAt = (place: number) =>
    place === 1
      ? 'pickup'
      : place === last
        ? 'delivery'
        : place === 2
          ? 'origin_port'
          : place === last - 1
            ? 'destination_port'
            : 'transshipment_port'
  for (let place = 1; place <= last; place += 1) {
    const group = dialog.getByRole('group', { name: `Place ${place}`, exact: true })
    await group.getByLabel('Type').selectOption(typeAt(place))
    const where = group.getByLabel('Place, ')
    if (place === 1 || place === last) await where.selectOption(place === 1 ? '1' : '2')
    else await where.fill(ports[place - 2] ?? '')
  }
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Add event' }).waitFor()
}

/** Adds an event by the form. */
export async function addByScreen(page: Page, event: FileEvent): Promise<void> {
  await page.keyboard.press('a')
  const dialog = page.getByRole('dialog', { name: 'Add event' })
  await dialog.getByLabel('Place').selectOption({ index: event.at - 1 })
  await dialog.getByLabel('What happened').selectOption(event.code)
  await dialog.getByLabel('Status').selectOption(event.status ?? 'actual')
  await dialog.getByLabel('When').fill(`2026-${event.on}`)
  if (event.container) await dialog.getByLabel('Container').selectOption(event.container)
  if (event.words) await dialog.getByLabel('In words').fill(event.words)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** Expects what the file shows beside it: as the customer sees the shipment. */
export async function expectSeen(page: Page, expected: Seen): Promise<void> {
  await expect.poll(() => seenOn(page)).toMatchObject(expected)
}

async function seenOn(page: Page): Promise<Seen> {
  const shown = await page.evaluate<{ status: string; dates: [string, string, string][] }>(`(() => {
    const view = document.querySelector('aside[aria-label="As the customer sees it"]')
    const facts = [...(view?.querySelector('dl')?.children ?? [])]
    const dates = facts.map((fact) => {
      const time = fact.querySelector('time')
      return [fact.querySelector('dt').textContent, time?.dateTime.slice(0, 10) ?? '', time?.dataset.status ?? '']
    })
    return { status: view?.querySelector('span')?.textContent ?? '', dates }
  })()`)
  const dates = shown.dates.map(([label, date, status]) => [
    milestones[label as keyof typeof milestones],
    `${date} ${status}`,
  ])
  return { status: shown.status, ...Object.fromEntries(dates) }
}
