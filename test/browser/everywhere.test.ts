import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { en } from '../../src/portal/i18n/en.js'
import { fr } from '../../src/portal/i18n/fr.js'
import { settled } from './settled.js'
import { expectAccessible, expectNoSidewaysScroll, laptop, phone, startPortal, tablet } from './support.js'

/** What holds on every page. That nothing throws, no foreign host is asked and the console stays empty is checked after each test, in every file. */

const portal = await startPortal()
const pages = await pagesOf()

async function pagesOf(): Promise<string[]> {
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
    '/settings',
    '/nowhere',
  ]
}

// Eighteen pages, one after another, on a machine that may be busy.
const patience = { timeout: 300_000 }

const visitorPages = ['/sign-in', '/forgot', '/welcome/none-of-the-links-that-were-sent']
// A page that there is not, and the link that is none.
const failing = ['/nowhere', '/portal/v1/links/']

async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await settled(page)
}

const looks = [
  { on: 'a laptop', size: laptop, isDarkToo: true },
  { on: 'a phone', size: phone, isDarkToo: false },
]

for (const { on, size, isDarkToo } of looks) {
  const themes = isDarkToo ? 'light and dark' : 'light'
  test(`every page is accessible on ${on}, ${themes}, and nothing sticks out`, patience, async () => {
    portal.expectFailures(...failing)
    const page = await portal.signedIn('/', { size })
    for (const path of pages) await expectFit(page, path, isDarkToo)
    const visitor = await portal.newPage({ size })
    for (const path of visitorPages) await expectFit(visitor, path, isDarkToo)
  })
}

async function expectFit(page: Page, path: string, isDarkToo: boolean): Promise<void> {
  await goTo(page, path)
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  if (!isDarkToo) return
  // Another theme is other colours, and nothing else: an open page takes it over from its system.
  await switchTo(page, 'dark')
  await expectAccessible(page, 'colours')
  await expectNoSidewaysScroll(page)
  await switchTo(page, 'light')
}

async function switchTo(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
}

test('with the keyboard alone everything is reached, and one sees where one is', patience, async () => {
  portal.expectFailures(...failing)
  const page = await portal.signedIn('/')
  for (const path of pages) {
    await goTo(page, path)
    const { missed, unseen } = await walk(page, path === '/')
    expect({ path, missed, unseen }).toEqual({ path, missed: [], unseen: [] })
  }
})

/**
 * Holds Tab down until it comes back to the beginning. Answers what can be clicked but was not come to, and what looks the
 * same with the focus on it as without. What is around every page is walked through once.
 */
async function walk(page: Page, isWhole: boolean): Promise<{ missed: string[]; unseen: string[] }> {
  await page.evaluate(keyboardWalk)
  const count = await page.evaluate<number>(`keyboardWalk.begin(${isWhole})`)
  // The page looks where it is by itself: asking it after each of hundreds of keys takes longer than all the rest.
  for (let step = 0; step < 2 * count + 40; step += 20) {
    await Promise.all(Array.from({ length: 20 }, () => page.keyboard.down('Tab')))
    if (await page.evaluate<boolean>('keyboardWalk.isOver()')) break
  }
  await page.keyboard.up('Tab')
  return page.evaluate('keyboardWalk.end()')
}

// Of radio buttons with one name only one is a stop; what is within a table of many rows is reached by arrow keys.
const keyboardWalk = `globalThis.keyboardWalk = (() => {
  const stops = 'a[href], button, input, select, textarea, summary, [tabindex="0"]'
  const name = (element) => element.outerHTML.slice(0, 160)
  const looks = (style) => [
    style.outlineStyle, style.outlineWidth, style.outlineColor, style.boxShadow, style.borderColor, style.backgroundColor, style.clipPath,
  ]
  // What shows it may be the row or the card around it.
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
  // Whether it has come back to the beginning.
  const step = () => {
    const element = document.activeElement
    // A date has several stops of its own.
    if (last && element === last.element) return false
    leave()
    // Behind the last one is the browser itself; then it begins anew.
    if (!element || element === document.body) return seen.size >= wanted.length
    if (seen.has(element)) return true
    seen.add(element)
    last = { element, look: look(element) }
    return false
  }
  // Each key first finds where the one before it has led.
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

test('in French no page says anything in English, nor is wider than a small screen', patience, async () => {
  portal.expectFailures(...failing)
  const person = await portal.newPerson('admin', { name: 'Aude Admin' })
  const page = await portal.signedIn('/settings', { person, size: tablet })
  await page.getByRole('radio', { name: 'Français' }).click()
  await page.getByRole('heading', { level: 1, name: 'Réglages' }).waitFor()
  const said = new Set(textsIn(fr))
  const english = textsIn(en).filter((text) => !said.has(text) && text.length > 2)
  for (const path of pages) {
    await goTo(page, path)
    const texts = new Set(await page.evaluate<string[]>(allTexts))
    expect({ path, english: english.filter((text) => texts.has(text)) }).toEqual({ path, english: [] })
    expect(await page.evaluate('document.documentElement.lang')).toBe('fr')
    await expectNoSidewaysScroll(page)
  }
})

/** All that is said without a value in it. */
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

test('what the forwarder changes shows on the open list of shipments by itself', async () => {
  const page = await portal.signedIn('/shipments')
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

test('the same address shows the same page to whoever opens it: filters, sort and search are part of it', async () => {
  const page = await portal.signedIn('/shipments?status=in_progress&sort=arrival&order=asc')
  const rows = await page.getByRole('row').allInnerTexts()
  const other = await portal.signedIn('/shipments?status=in_progress&sort=arrival&order=asc')
  expect(await other.getByRole('row').allInnerTexts()).toEqual(rows)
})
