import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { en } from '../../../web/portal/i18n/en.js'
import { fr } from '../../../web/portal/i18n/fr.js'
import { evaluate } from '../../support/exceptions.js'
import { settled } from './settled.js'
import { cutDates, expectAccessible, expectNoSidewaysScroll, laptop, phone, startPortal, tablet } from './support.js'

/** What holds on every page. Every test file also checks for errors, requests to other hosts and console messages. */

const portal = await startPortal()
const pages = await pagesOf()

async function pagesOf(): Promise<string[]> {
  await evaluate(portal.service, portal.demo.id)
  const page = await portal.signedIn('/settings')
  const read = async (path: string) => (await page.request.get(path)).json()
  const { shipments } = await read('/portal/v1/shipments?status=in_progress&freight_mode=ocean&take=1')
  const { shipments: drafts } = await read('/portal/v1/shipments?status=draft&take=1')
  const { purchase_orders: assigned } = await read('/portal/v1/purchase-orders?state=assigned&take=1')
  const { purchase_orders: open } = await read('/portal/v1/purchase-orders?state=open&take=1')
  const { invoices } = await read('/portal/v1/invoices?take=1')
  const [location] = await read('/v1/locations?take=1')
  const orderPath = ({ po_number }: { po_number: string }) => `/orders/${encodeURIComponent(po_number)}`
  return [
    '/',
    '/exceptions',
    '/shipments',
    `/shipments/${shipments[0].svc_shipment_id}`,
    `/shipments/${drafts[0].svc_shipment_id}`,
    '/orders',
    orderPath(assigned[0]),
    `${orderPath(open[0])}/edit`,
    '/orders/new',
    '/orders/upload',
    '/invoices',
    `/invoices/${encodeURIComponent(invoices[0].reference)}`,
    '/documents',
    '/locations',
    `/locations/${location.id}`,
    '/developers',
    '/team',
    '/audit',
    '/settings',
    '/nowhere',
  ]
}

const visitorPages = ['/sign-in', '/forgot', '/welcome#none-of-the-links-that-were-sent']
// An unknown page, and an invalid link.
const failing = ['/nowhere', '/portal/v1/links']

async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await settled(page)
}

test('on a laptop every page is accessible in light and dark, fits, and every control is reached with the keyboard', async () => {
  portal.expectFailures(...failing)
  const page = await portal.signedIn('/', { size: laptop, drawsMaps: true })
  for (const path of pages) {
    await goTo(page, path)
    expect(await cutDates(page), path).toEqual([])
    await expectAccessibleInBothThemes(page)
    const { missed, unseen } = await tabThrough(page, path === '/')
    expect({ path, missed, unseen }).toEqual({ path, missed: [], unseen: [] })
  }
  const visitor = await portal.newPage({ size: laptop })
  for (const path of visitorPages) {
    await goTo(visitor, path)
    await expectAccessibleInBothThemes(visitor)
  }
})

async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  // The themes differ in colours only. An open page follows the theme of its system.
  await switchTo(page, 'dark')
  await expectAccessible(page, 'colours')
  await expectNoSidewaysScroll(page)
  await switchTo(page, 'light')
}

async function switchTo(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-color-scheme="${colorScheme}"]`).waitFor()
}

/**
 * Presses Tab until the focus returns to the beginning. Returns controls that were not reached, and controls that look the
 * same with and without focus. The layout around the pages is checked once.
 */
async function tabThrough(page: Page, isWhole: boolean): Promise<{ missed: string[]; unseen: string[] }> {
  await page.evaluate(keyboardWalk)
  const count = await page.evaluate<number>(`keyboardWalk.begin(${isWhole})`)
  // The page records the focus itself: querying it after each of hundreds of keys dominates the time.
  for (let step = 0; step < 2 * count + 40; step += 20) {
    await Promise.all(Array.from({ length: 20 }, () => page.keyboard.down('Tab')))
    if (await page.evaluate<boolean>('keyboardWalk.isOver()')) break
  }
  await page.keyboard.up('Tab')
  return page.evaluate('keyboardWalk.end()')
}

// A group of radio buttons is one tab stop; rows of a long table are reached by arrow keys.
const keyboardWalk = `globalThis.keyboardWalk = (() => {
  const stops = 'a[href], button, input, select, textarea, summary, [tabindex="0"]'
  const name = (element) => element.outerHTML.slice(0, 160)
  const looks = (style) => [
    style.outlineStyle, style.outlineWidth, style.outlineColor, style.boxShadow, style.borderColor, style.backgroundColor, style.clipPath,
  ]
  // The focus may be shown by the row or card around the control.
  const look = (element) => {
    const all = looks(getComputedStyle(element, '::after'))
    for (let each = element, depth = 0; each && depth < 7; each = each.parentElement, depth += 1) {
      all.push(...looks(getComputedStyle(each)))
    }
    return all.join()
  }
  let wanted, seen, unseen, last, isUnderWay, isOver
  const leave = () => {
    if (last && last.look === look(last.element)) unseen.push(name(last.element))
    last = undefined
  }
  // Whether the focus is back at the beginning.
  const step = () => {
    const element = document.activeElement
    // A date field has several tab stops.
    if (last && element === last.element) return false
    leave()
    // After the last control the focus is in the browser, then at the beginning again.
    if (!element || element === document.body) return seen.size >= wanted.length
    if (seen.has(element)) return true
    seen.add(element)
    last = { element, look: look(element) }
    return false
  }
  // Each key press first records the focus of the previous one.
  addEventListener('keydown', () => {
    if (isUnderWay && !isOver) isOver = step()
    isUnderWay = true
  }, true)
  return {
    begin(isWhole) {
      const isShown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: false })
      const isStop = (element) => element.tabIndex >= 0 && !element.disabled && isShown(element) && !element.closest('[inert]')
      const isChosen = (element) => element.type !== 'radio' || element.checked
      const part = isWhole ? document : document.querySelector('main')
      wanted = [...part.querySelectorAll(stops)].filter((element) => isStop(element) && isChosen(element))
      seen = new Set()
      unseen = []
      last = undefined
      isUnderWay = isOver = false
      document.activeElement?.blur()
      if (!isWhole) part.focus()
      return wanted.length
    },
    isOver() {
      if (!isOver) isOver = step()
      return isOver
    },
    end() {
      document.activeElement?.blur()
      leave()
      return { missed: wanted.filter((element) => element.isConnected && !seen.has(element)).map(name), unseen }
    },
  }
})()`

test('on a phone every page is accessible, shows no English texts in French, and fits, on a tablet too', async () => {
  portal.expectFailures(...failing)
  const person = await portal.newPerson('admin', { name: 'Aude Admin' })
  const page = await portal.signedIn('/settings', { person, size: phone })
  await page.getByRole('radio', { name: 'Français' }).click()
  await page.getByRole('heading', { level: 1, name: 'Paramètres' }).waitFor()
  const french = new Set(textsIn(fr))
  const english = textsIn(en).filter((text) => !french.has(text) && text.length > 2)
  for (const path of pages) {
    await goTo(page, path)
    const texts = new Set(await page.evaluate<string[]>(allTexts))
    expect({ path, english: english.filter((text) => texts.has(text)) }).toEqual({ path, english: [] })
    expect(await page.evaluate('document.documentElement.lang')).toBe('fr')
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await page.setViewportSize(tablet)
    await expectNoSidewaysScroll(page)
    await page.setViewportSize(phone)
  }
  const visitor = await portal.newPage({ size: phone, locale: 'fr-FR' })
  for (const path of visitorPages) {
    await goTo(visitor, path)
    await expectAccessible(visitor)
    await expectNoSidewaysScroll(visitor)
  }
})

/** All texts without values. */
function textsIn(messages: object): string[] {
  return Object.values(messages).flatMap((value: unknown) => {
    if (typeof value === 'string') return [value]
    return typeof value === 'object' && value !== null ? textsIn(value) : []
  })
}

const allTexts = `(() => {
  const texts = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) texts.push(walker.currentNode.nodeValue.trim())
  for (const element of document.querySelectorAll('*')) {
    for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'data-label']) texts.push(element.getAttribute(name) ?? '')
  }
  return texts.filter(Boolean)
})()`

test('changes by the forwarder appear on the open list of shipments without a reload', async () => {
  const page = await portal.signedIn('/shipments?tab=all')
  const name = `Seen at once ${Date.now()}`
  const { body } = await portal.forwarder.ops('createShipment', portal.demo.slug, { body: { name, status: 'booked' } })
  const row = page.getByRole('row', { name: new RegExp(name) })
  await row.waitFor()
  expect(await row.innerText()).toContain('Booked')
  const params = { svc_shipment_id: body.id }
  await portal.forwarder.ops('moveShipment', portal.demo.slug, {
    params,
    body: { status: 'cancelled', reason: 'A test' },
  })
  await row.getByText('Cancelled').waitFor()
})

test('filters, sort and search are part of the address, so that it shows everyone the same', async () => {
  const page = await portal.signedIn('/shipments?status=in_progress&sort=arrival&order=asc')
  const rows = await page.getByRole('row').allInnerTexts()
  const other = await portal.signedIn('/shipments?status=in_progress&sort=arrival&order=asc')
  expect(await other.getByRole('row').allInnerTexts()).toEqual(rows)
})
