import type { BrowserContext } from 'playwright-core'
import { expect, test } from 'vitest'
import { officePagesOf } from '../../../scripts/office-pages.js'
import type { OperatorRole } from '../../../src/contract/operator/accounts.js'
import { evaluate } from '../../support/exceptions.js'
import { newOperatorPerson } from '../../support/office.js'
import { testPassword } from '../../support/person.js'
import { settled } from './settled.js'
import { cutDates, expectAccessible, expectNoSidewaysScroll, phone, startPortal, tablet } from './support.js'

/** Every page of the office. */

const portal = await startPortal()
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

type Look = { role: OperatorRole; options: Parameters<typeof portal.newPage>[0]; name: string }

// Every role in one look: what a page shows depends on the role and, apart from it, on size, theme and language.
const looks: Look[] = [
  { role: 'admin', name: 'on a phone, dark and in French', options: { size: phone, theme: 'dark', locale: 'fr-FR' } },
  { role: 'operations', name: 'on a laptop at 200% zoom', options: { zoom: 2 } },
  { role: 'finance', name: 'on a laptop, dark', options: { theme: 'dark' } },
  { role: 'viewer', name: 'on a tablet in French', options: { size: tablet, locale: 'fr-FR' } },
]

test.each(looks)(
  'every page opens for the role $role $name, fits, cuts no date, is accessible, and asks for nothing that it is refused',
  async ({ role, options }) => {
    const page = await portal.newPage(options)
    await signIn(page.context(), role)
    for (const path of Object.values(await officePagesOf(page.context(), demo.slug))) {
      await page.goto(path)
      await settled(page)
      // Failed requests are reported after the test.
      expect(await page.getByRole('alert').allInnerTexts(), path).toEqual([])
      await expectNoSidewaysScroll(page)
      expect(await cutDates(page), path).toEqual([])
      // Layouts are checked in the smallest windows, and colours in both themes.
      if (role === 'admin' || role === 'operations') await expectAccessible(page)
    }
  },
)
