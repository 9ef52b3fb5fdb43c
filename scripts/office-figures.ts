import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { BrowserContext, Page } from 'playwright-core'
import { launchChromium } from '../test/support/chromium.js'
import { settled } from '../test/web/browser/settled.js'
import { officePagesOf, signInToOffice } from './office-pages.js'
import { startSandbox } from './sandbox-program.js'

/**
 * Measures the office in a browser and prints the figures: how long each page takes to its first content, and what a
 * keystroke costs in the grid, before and after every row was edited.
 *
 *   npm run bench:office
 *   npm run bench:office -- --shipments 5000 --rounds 5
 */
const { values } = parseArgs({
  options: { shipments: { type: 'string', default: '5000' }, rounds: { type: 'string', default: '3' } },
})
const shipments = Number(values.shipments)
const rounds = Number(values.rounds)
const account = 'figures'

const folder = await mkdtemp(join(tmpdir(), 'waybill-figures-'))
const sandbox = await startSandbox(folder)
const browser = await launchChromium()
try {
  const context = await browser.newContext({
    baseURL: sandbox.address,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
  })
  await signInToOffice(context, 'en')
  await importShipments(context)
  await context.addInitScript(observe)
  const page = await context.newPage()
  console.log(`First content, median of ${rounds} loads with a filled browser cache, ms:`)
  for (const [name, path] of Object.entries(await officePagesOf(context)))
    console.log(`${name.padEnd(24)} ${String(await firstContent(page, path)).padStart(6)}`)
  await measureGrid(page)
} finally {
  await browser.close()
  await sandbox.stop()
  await rm(folder, { recursive: true, force: true })
}

type Figures = { content: Promise<number>; keys: number[] }

/**
 * Runs in the page, where nothing of this module is, nor what the compiler adds to functions with names. Content is there with the
 * frame after the page has its title and nothing is being loaded for the first time.
 */
function observe(): void {
  const content = new Promise<number>((resolve) => {
    new MutationObserver((_, observer) => {
      if (document.querySelector('main h1') === null || document.querySelector('main [aria-busy="true"]')) return
      observer.disconnect()
      requestAnimationFrame(() => resolve(performance.now()))
    }).observe(document, { subtree: true, childList: true, attributeFilter: ['aria-busy'] })
  })
  const figures: Figures = { content, keys: [] }
  Object.assign(window, { figures })
  // From the key to the end of the work that it causes, with layout; the screen follows with its next frame.
  addEventListener(
    'keydown',
    () => {
      const began = performance.now()
      const { port1, port2 } = new MessageChannel()
      port1.addEventListener('message', () => {
        document.body.getBoundingClientRect()
        figures.keys.push(performance.now() - began)
      })
      port1.start()
      port2.postMessage(undefined)
    },
    true,
  )
}

async function firstContent(page: Page, path: string): Promise<number> {
  const found: number[] = []
  // The first load fills the cache.
  for (let round = 0; round <= rounds; round++) {
    await page.goto(path)
    // Awaited in the page: its policy forbids what `waitForFunction` evaluates.
    const content = await page.evaluate<number>('figures.content')
    if (round > 0) found.push(content)
    await settled(page)
  }
  return Math.round(at(found, 0.5))
}

async function measureGrid(page: Page): Promise<void> {
  const began = performance.now()
  await page.goto(`/office/shipments/grid?account=${account}&tab=all&sort=name`)
  const grid = page.getByRole('grid')
  await page.locator(`[role=grid][aria-rowcount="${shipments + 1}"]`).waitFor({ timeout: 300_000 })
  console.log(`\nGrid: ${shipments} rows loaded after ${Math.round(performance.now() - began)} ms. A keystroke, ms:`)
  await grid.focus()
  await measureKeys(page, 'typing', async () => page.keyboard.type('Ever Ace of the North Sea', { delay: 30 }))
  await page.keyboard.press('Escape')
  const presses = (key: string) => async () => {
    for (let count = 0; count < 25; count++) await page.keyboard.press(key, { delay: 10 })
  }
  await measureKeys(page, 'moving down', presses('ArrowDown'))
  await measureKeys(page, 'Delete', presses('Delete'))
  await page.keyboard.press('Control+Home')
  await grid.evaluate(
    (table, pasted) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', pasted)
      table.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    },
    Array.from({ length: shipments }, (_, row) => `Renamed ${row}`).join('\n'),
  )
  await page.getByRole('button', { name: /^Review/ }).waitFor()
  await page.keyboard.press('ArrowDown')
  await measureKeys(page, 'typing, all rows edited', async () => page.keyboard.type('Ever Ace', { delay: 30 }))
  await measureKeys(page, 'Enter, all rows edited', presses('Enter'))
  await measureKeys(page, 'Delete, all rows edited', presses('Delete'))
}

async function measureKeys(page: Page, what: string, press: () => Promise<void>): Promise<void> {
  await page.evaluate('figures.keys = []')
  await press()
  const keys = await page.evaluate<number[]>('figures.keys')
  const [median, slow, most] = [0.5, 0.95, 1].map((share) => at(keys, share).toFixed(1))
  console.log(`${what.padEnd(24)} median ${median}, 95% ${slow}, most ${most} (${keys.length} keys)`)
}

function at(found: number[], share: number): number {
  const sorted = found.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

async function importShipments({ request }: BrowserContext): Promise<void> {
  const { csrf_token } = await (await request.get('/office/v1/session')).json()
  const headers = { 'x-csrf-token': csrf_token, origin: sandbox.address }
  const created = await request.post('/ops/v1/accounts', { data: { slug: account, name: 'Figures Ltd' }, headers })
  if (!created.ok()) throw new Error(`creating the account answered ${created.status()}: ${await created.text()}`)
  const lines = Array.from({ length: shipments }, (_, index) =>
    JSON.stringify({
      kind: 'shipment',
      account,
      data: {
        svc_shipment_id: `FIG-${String(index).padStart(6, '0')}`,
        name: `Shipment ${index}`,
        status: 'booked',
        freight_mode: 'ocean',
        route: { origin_port_unlocode: 'CN/NGB', destination_port_unlocode: 'DE/HAM' },
      },
    }),
  )
  const imported = await request.post('/ops/v1/import', {
    data: `${lines.join('\n')}\n`,
    headers: { ...headers, 'content-type': 'application/x-ndjson' },
    timeout: 300_000,
  })
  if (!imported.ok()) throw new Error(`the import answered ${imported.status()}: ${await imported.text()}`)
}
