import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { connectStorage } from '../src/cli/open-storage.js'
import { readSettings } from '../src/cli/settings.js'
import type { Shipment } from '../src/contract/public/shipment.js'
import { launchChromium } from '../test/support/chromium.js'
import { settled } from '../test/web/browser/settled.js'
import { officePagesOf, signInToOffice } from './office-pages.js'
import { startSandbox } from './sandbox-program.js'

/**
 * Takes screenshots of the portal from the built sandbox, on a fixed day, so that a picture changes only when the portal
 * does. Fails when a page shows an error.
 *
 *   npm run screenshots                              those that README.md shows, into docs/screenshots
 *   npm run screenshots -- --all [NAME...]           every page: light, dark and on a phone, into screenshots/ (not in git)
 *   npm run screenshots -- --all --language fr orders
 *   npm run screenshots -- --office [NAME...]        every page of the office
 */
const today = '2026-01-15T09:30:00Z'
const inReadme = new Set(['shipment-light'])
const laptop = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }
const looks = {
  light: { viewport: laptop, colorScheme: 'light' },
  dark: { viewport: laptop, colorScheme: 'dark' },
  phone: { viewport: phone, colorScheme: 'light', hasTouch: true },
} as const
type Look = keyof typeof looks

// Content that is drawn after the data has loaded.
const drawnLater: Record<string, string> = {
  locations: 'svg.place-map path',
  location: 'svg.place-map path',
}

const { values, positionals } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    office: { type: 'boolean', default: false },
    language: { type: 'string', default: 'en' },
  },
  allowPositionals: true,
})
const isComplete = values.all || values.office
const target = isComplete ? 'screenshots' : 'docs/screenshots'
const folder = await mkdtemp(join(tmpdir(), 'waybill-screenshots-'))
const sandbox = await startSandbox(folder, today)
const storage = await connectStorage(readSettings({ WAYBILL_DATA_DIR: folder }))
const browser = await launchChromium()
const faults: string[] = []
try {
  await mkdir(target, { recursive: true })
  await sendRequests()
  for (const look of Object.keys(looks) as Look[]) await takeAll(browser, look)
} finally {
  await browser.close()
  await storage.close()
  await sandbox.stop()
  await rm(folder, { recursive: true, force: true })
}
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1

async function takeAll(on: Browser, look: Look): Promise<void> {
  const context = await on.newContext({
    ...looks[look],
    baseURL: sandbox.address,
    locale: values.language === 'fr' ? 'fr-FR' : 'en-GB',
    timezoneId: 'Europe/Paris',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await page.clock.setFixedTime(today)
  page.on('pageerror', (error) => faults.push(`${page.url()} threw: ${error.message}`))
  page.on('response', (response) => {
    if (response.status() >= 500) faults.push(`${response.url()} answered ${response.status()}`)
  })
  if (values.office) {
    await signInToOffice(context, values.language)
  } else {
    if (isWanted('sign-in', look)) await take(page, { name: 'sign-in', path: '/sign-in', look })
    await signIn(page)
  }
  await setDatabaseClock()
  for (const [name, path] of Object.entries(await (values.office ? officePagesOf(context) : pagesOf(context)))) {
    if (isWanted(name, look)) await take(page, { name, path, look })
  }
  await context.close()
}

function isWanted(name: string, look: Look): boolean {
  if (positionals.length > 0 && !positionals.includes(name)) return false
  return isComplete || inReadme.has(`${name}-${look}`)
}

async function signIn(page: Page): Promise<void> {
  await page.goto('/sign-in')
  await page.getByRole('button', { name: /d[eé]mo/i }).click()
  await page.waitForURL((url) => url.pathname === '/')
  await setLanguage(page)
}

/** The account of the demo keeps its language from one look to the next. */
async function setLanguage(page: Page): Promise<void> {
  const session = await (await page.request.get('/portal/v1/session')).json()
  await page.request.patch('/portal/v1/person', {
    data: { language: values.language },
    headers: { 'x-csrf-token': session.csrf_token, origin: sandbox.address },
  })
}

/** Fills the request log: an account's own system at work, with one mistake. */
async function sendRequests(): Promise<void> {
  const headers = { authorization: `Bearer ${sandbox.key}` }
  for (const path of [
    'shipments?take=100',
    'purchaseOrders?take=50',
    'shipments/SHP-000000',
    'invoices',
    'documents?take=20',
  ]) {
    await (await fetch(`${sandbox.address}/v1/${path}`, { headers })).text()
  }
}

/** Timestamps that the database's own clock has set are moved to the day of the pictures. */
async function setDatabaseClock(): Promise<void> {
  await storage.db`update keys set created_at = ${today}::text::timestamptz - interval '40 days'`
  await storage.db`
    update people set created_at = ${today}::text::timestamptz - interval '40 days',
      last_seen_at = case when last_seen_at is not null then ${today}::text::timestamptz end`
}

/** Every page, with data on it. */
async function pagesOf(context: BrowserContext): Promise<Record<string, string>> {
  const read = async (path: string) => {
    const response = await context.request.get(path)
    if (!response.ok()) throw new Error(`${path} answered ${response.status()}: ${await response.text()}`)
    return response.json()
  }
  const { shipments } = await read('/portal/v1/shipments?status=in_progress&freight_mode=ocean&sort=arrival&take=50')
  const { purchase_orders } = await read('/portal/v1/purchase-orders?state=partly_assigned&take=1')
  const { invoices } = await read('/portal/v1/invoices?state=overdue&take=1')
  const [location] = await read('/v1/locations?take=1')
  const shipment = (shipments as Shipment[]).find(isAtSea)
  if (!shipment) throw new Error('no shipment is at sea')
  const order = encodeURIComponent(purchase_orders[0].po_number)
  return {
    overview: '/',
    exceptions: '/exceptions',
    shipments: '/shipments',
    shipment: `/shipments/${shipment.svc_shipment_id}`,
    orders: '/orders',
    order: `/orders/${order}`,
    'order-new': '/orders/new',
    'order-upload': '/orders/upload',
    inbound: '/inbound',
    invoices: '/invoices',
    invoice: `/invoices/${encodeURIComponent(invoices[0].reference)}`,
    documents: '/documents',
    locations: '/locations',
    location: `/locations/${location.id}`,
    developers: '/developers',
    team: '/team',
    audit: '/audit',
    notifications: '/notifications',
    settings: '/settings',
  }
}

function isAtSea({ main_tracking_dates: dates }: Shipment): boolean {
  return dates?.departure_date?.status === 'actual' && dates.arrival_date?.status === 'estimated'
}

type Picture = { name: string; path: string; look: Look }

async function take(page: Page, { name, path, look }: Picture): Promise<void> {
  await page.goto(path)
  await settled(page)
  const later = drawnLater[name]
  if (later !== undefined) await page.locator(later).first().waitFor()
  const alerts = await page.getByRole('alert').allInnerTexts()
  if (alerts.length > 0) faults.push(`${path} shows an error: ${alerts.join(' / ')}`)
  const file = join(
    target,
    `${values.office ? 'office-' : ''}${name}-${look}${values.language === 'en' ? '' : `-${values.language}`}`,
  )
  if (isComplete) await page.screenshot({ path: `${file}.png` })
  else await writeWebp(page, `${file}.webp`)
  console.log(file)
}

// Playwright writes PNG, which is several times as large.
async function writeWebp(page: Page, path: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 90 })
  await session.detach()
  await writeFile(path, Buffer.from(data, 'base64'))
}
