import type { BrowserContext } from 'playwright-core'
import { expect, test } from 'vitest'
import { officePagesOf } from '../../../scripts/office-pages.js'
import type { OperatorRole } from '../../../src/contract/operator/accounts.js'
import { evaluate } from '../../support/exceptions.js'
import { newOperatorPerson } from '../../support/office.js'
import { ownDatabase } from '../../support/own-database.js'
import { testPassword } from '../../support/person.js'
import { settled } from './settled.js'
import { cutDates, expectAccessible, expectNoSidewaysScroll, phone, startPortal } from './support.js'

/** Every page of the office. */

// Its lists are of all accounts: in the database of the other tests they would grow with every file before this one.
const portal = await startPortal({ db: await ownDatabase('office_everywhere') })
const { service, demo, forwarder } = portal
await evaluate(service, demo.id)
const rates = [{ currency: 'USD' as const, rate: 0.92, date: '2026-01-15' }]
await forwarder.ops('setBillingSettings', undefined, { body: { language: 'en', accounting_currency: 'EUR', rates } })
const lines = [{ description: 'Customs', price: { amount: 40, currency: 'EUR' as const } }]
await forwarder.ops('draftInvoice', demo.slug, { body: { lines } })

async function signIn(context: BrowserContext, role: OperatorRole): Promise<void> {
  const { email } = await newOperatorPerson(service, role)
  await context.request.post('/office/v1/session', { data: { email, password: testPassword } })
}

// The audit log is for admins; the page says so without asking for it.
const roles = ['admin', 'operations', 'finance', 'viewer'] as const satisfies OperatorRole[]

test.each(roles)('every page opens for the role %s, and asks for nothing that it is refused', async (role) => {
  const page = await portal.newPage()
  await signIn(page.context(), role)
  for (const path of Object.values(await officePagesOf(page.context(), demo.slug))) {
    await page.goto(path)
    await settled(page)
    // Failed requests are reported after the test.
    expect(await page.getByRole('alert').allInnerTexts(), path).toEqual([])
  }
})

test('no page cuts a date, in either language', async () => {
  for (const locale of ['en-GB', 'fr-FR']) {
    const page = await portal.newPage({ locale })
    await signIn(page.context(), 'admin')
    for (const path of Object.values(await officePagesOf(page.context(), demo.slug))) {
      await page.goto(path)
      await settled(page)
      expect(await cutDates(page), path).toEqual([])
    }
  }
})

test('every page fits a phone, dark and in French, and has no faults of accessibility', async () => {
  const page = await portal.newPage({ size: phone, theme: 'dark', locale: 'fr-FR' })
  await signIn(page.context(), 'admin')
  for (const path of Object.values(await officePagesOf(page.context(), demo.slug))) {
    await page.goto(path)
    await settled(page)
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  }
})

test('every page fits a laptop at 200% zoom, in the role of operations', async () => {
  const page = await portal.newPage({ zoom: 2 })
  await signIn(page.context(), 'operations')
  for (const path of Object.values(await officePagesOf(page.context(), demo.slug))) {
    await page.goto(path)
    await settled(page)
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  }
})
