import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { newAccount } from '../../support/account.js'
import { newOperatorPerson } from '../../support/office.js'
import { testPassword } from '../../support/person.js'
import { expectAccessible, startPortal } from './support.js'

/** Many shipments are changed at once, in a grid. */

const portal = await startPortal()
const { service, forwarder } = portal

async function signIn(page: Page, role: 'operations' | 'viewer'): Promise<void> {
  const { email } = await newOperatorPerson(service, role, { name: `Grid ${role}` })
  await page.context().request.post('/office/v1/session', { data: { email, password: testPassword } })
}

async function paste(page: Page, text: string): Promise<void> {
  await page.getByRole('grid').evaluate((grid, pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    grid.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)
}

const idOf = (index: number) => `G-${String(index).padStart(3, '0')}`

test('500 shipments are changed by a pasted block: two that others changed meanwhile are decided by field, and all is undone', async () => {
  const account = await newAccount(service)
  const lines = Array.from({ length: 500 }, (_, index) => ({
    kind: 'shipment' as const,
    data: {
      svc_shipment_id: idOf(index),
      name: idOf(index),
      status: 'booked' as const,
      freight_mode: 'ocean' as const,
    },
  }))
  await account.forwarder.imports(...lines)
  const vesselOf = async (svc_shipment_id: string) => {
    const { body } = await forwarder.ops('getShipment', account.slug, { params: { svc_shipment_id } })
    return body.record.booking_information?.ocean_booking?.vessel
  }
  const page = await portal.newPage()
  await signIn(page, 'operations')
  await page.goto(`/office/shipments?account=${account.slug}&tab=all&sort=name`)
  await page.getByRole('table', { name: 'Shipments' }).locator('tbody tr[data-row]').first().waitFor()
  await page.keyboard.press('g')
  const grid = page.getByRole('grid', { name: 'Edit shipments' })
  await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('501')
  await expectAccessible(page)

  // By keyboard: Enter goes down, Tab across, Escape abandons.
  await grid.focus()
  const vesselColumn = 9
  for (let column = 0; column < vesselColumn; column++) await page.keyboard.press('ArrowRight')
  await page.keyboard.type('Ever Ace')
  await page.keyboard.press('Enter')
  await page.keyboard.type('wrong')
  await page.keyboard.press('Escape')
  await page.keyboard.press('ArrowUp')
  await expect.poll(() => grid.getByRole('gridcell', { selected: true }).textContent()).toBe('Ever Ace')
  await page.keyboard.press('Control+z')
  await expect.poll(() => grid.getByRole('gridcell', { selected: true }).textContent()).toBe('')
  expect(await page.getByRole('button', { name: 'Review changes' }).isDisabled()).toBe(true)

  await paste(page, Array.from({ length: 501 }, (_, index) => `Vessel ${index}\tV${index}`).join('\r\n'))
  await page.getByText('1 line of what you pasted').waitFor()
  // What was typed survives a reload.
  await page.reload()
  await page.getByRole('button', { name: 'Review 500 shipments' }).waitFor()

  for (const [id, vessel] of [
    [idOf(3), 'Theirs 3'],
    [idOf(4), 'Theirs 4'],
  ] as const) {
    await forwarder.ops('updateShipment', account.slug, {
      params: { svc_shipment_id: id },
      body: { booking_information: { ocean_booking: { vessel } } },
    })
  }
  await page.getByRole('button', { name: 'Review 500 shipments' }).click()
  const review = page.getByRole('dialog', { name: 'What will change' })
  await review.getByText('2 shipments were changed by somebody else').waitFor()
  await review.getByRole('radio', { name: 'Yours: Vessel 3' }).check()
  await expectAccessible(page)
  await review.getByRole('button', { name: 'Change 500 shipments' }).click()
  await page.getByText('500 shipments changed. Undo').waitFor()
  expect(await Promise.all([0, 3, 4, 499].map((index) => vesselOf(idOf(index))))).toEqual([
    'Vessel 0',
    'Vessel 3',
    'Theirs 4',
    'Vessel 499',
  ])

  await page.getByRole('button', { name: 'Undo z' }).click()
  await page.getByRole('status').getByText('Undone').waitFor()
  expect(await Promise.all([0, 3, 4, 499].map((index) => vesselOf(idOf(index))))).toEqual([
    undefined,
    'Theirs 3',
    'Theirs 4',
    undefined,
  ])
})

test('a value that cannot be stored is named in the review, and a viewer can change nothing', async () => {
  const account = await newAccount(service)
  const data = { svc_shipment_id: 'G-1', name: 'One', status: 'booked' as const }
  await account.forwarder.imports(
    { kind: 'shipment', data },
    { kind: 'shipment', data: { ...data, svc_shipment_id: 'G-2' } },
  )
  const page = await portal.newPage()
  await signIn(page, 'operations')
  await page.goto(`/office/shipments/grid?account=${account.slug}&tab=all&sort=name`)
  const grid = page.getByRole('grid', { name: 'Edit shipments' })
  await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('3')
  await grid.focus()
  await page.keyboard.press('ArrowRight')
  await paste(page, '16.11.2026\n01/02/2026')
  await page.keyboard.press('Control+Enter')
  const review = page.getByRole('dialog', { name: 'What will change' })
  await review.getByText('1 shipment has a value that cannot be stored').waitFor()
  await review.getByText('/cargo_ready_date').waitFor()
  await review.getByRole('button', { name: 'Change 1 shipment' }).click()
  await page.getByText('1 shipment changed. Undo').waitFor()
  await page.getByRole('button', { name: 'Review 1 shipment' }).waitFor()
  const { body } = await forwarder.ops('getShipment', account.slug, { params: { svc_shipment_id: 'G-1' } })
  expect(body.record.cargo_ready_date).toBe('2026-11-16')

  const other = await portal.newPage()
  await signIn(other, 'viewer')
  await other.goto(`/office/shipments/grid?account=${account.slug}&tab=all`)
  await other.getByText('Your role can look at shipments').waitFor()
  await other.getByRole('grid').focus()
  await other.keyboard.type('x')
  expect(await other.getByRole('grid').getByRole('textbox').count()).toBe(0)
  expect(await other.getByRole('button', { name: /^Review/ }).count()).toBe(0)
})

/** Counts the rows of the grid that React renders, as its developer tools find out. */
const countRenderedRows = `(() => {
  let before = new Set()
  globalThis.renderedRows = 0
  const commit = (_id, { current }) => {
    const now = new Set()
    const waiting = [current]
    while (waiting.length > 0) {
      const fiber = waiting.pop()
      now.add(fiber)
      const isRow = typeof fiber.type !== 'string' && fiber.child?.type === 'tr' && 'aria-rowindex' in fiber.child.memoizedProps
      // A fiber that was worked on, and by its own component: not one that was only copied.
      if (isRow && !before.has(fiber) && (fiber.flags & 1) === 1) globalThis.renderedRows += 1
      if (fiber.child) waiting.push(fiber.child)
      if (fiber.sibling) waiting.push(fiber.sibling)
    }
    before = now
  }
  globalThis.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
    supportsFiber: true, renderers: new Map(), inject: () => 1, checkDCE() {}, onCommitFiberRoot: commit, onCommitFiberUnmount() {},
  }
})()`

test('a key renders no more than the rows that it changes', async () => {
  const account = await newAccount(service)
  const lines = Array.from({ length: 20 }, (_, index) => ({
    kind: 'shipment' as const,
    data: { svc_shipment_id: idOf(index), name: idOf(index), status: 'booked' as const },
  }))
  await account.forwarder.imports(...lines)
  const page = await portal.newPage()
  await page.addInitScript(countRenderedRows)
  await signIn(page, 'operations')
  await page.goto(`/office/shipments/grid?account=${account.slug}`)
  const grid = page.getByRole('grid')
  await grid.locator('[role="gridcell"][data-active]').waitFor()
  await grid.focus()
  const rendersOf = async (...keys: string[]) => {
    await page.evaluate('globalThis.renderedRows = 0')
    for (const key of keys) await page.keyboard.press(key)
    return page.evaluate<number>('globalThis.renderedRows')
  }
  // It counts: all rows are rendered when everything is selected.
  expect(await rendersOf('Control+a')).toBeGreaterThanOrEqual(19)
  await page.keyboard.press('Control+Home')
  // The row that is left, and the one that is entered; within a row that row alone.
  expect(await rendersOf('ArrowDown')).toBeLessThanOrEqual(2)
  expect(await rendersOf('ArrowRight')).toBeLessThanOrEqual(1)
  // The first key opens the editor in its cell; the others are the editor's own.
  expect(await rendersOf('A')).toBeLessThanOrEqual(1)
  expect(await rendersOf('b', 'c', 'd')).toBe(0)
  // Enter stores the value and goes on.
  expect(await rendersOf('Enter')).toBeLessThanOrEqual(3)
  await page.keyboard.press('Control+z')
})

test('beside many edited rows, a value stores its own row only, and a reload keeps all', async () => {
  const account = await newAccount(service)
  const lines = Array.from({ length: 40 }, (_, index) => ({
    kind: 'shipment' as const,
    data: { svc_shipment_id: idOf(index), name: idOf(index), status: 'booked' as const },
  }))
  await account.forwarder.imports(...lines)
  const page = await portal.newPage()
  await page.addInitScript(`(() => {
    const { setItem } = Storage.prototype
    globalThis.storedDrafts = []
    Storage.prototype.setItem = function (name, value) {
      globalThis.storedDrafts.push(name)
      return setItem.call(this, name, value)
    }
  })()`)
  await signIn(page, 'operations')
  await page.goto(`/office/shipments/grid?account=${account.slug}`)
  const grid = page.getByRole('grid')
  await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('41')
  await grid.focus()
  await paste(page, lines.map((_, index) => `Renamed ${index}`).join('\n'))
  await page.getByRole('button', { name: 'Review 40 shipments' }).waitFor()
  await page.keyboard.press('Control+Home')
  await page.evaluate('globalThis.storedDrafts = []')
  await page.keyboard.type('Typed')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate<number>('globalThis.storedDrafts.length')).toBe(1)
  await page.reload()
  await page.getByRole('button', { name: 'Review 40 shipments' }).waitFor()
  await grid.getByText('Typed').waitFor()
})

test('a keystroke in the grid takes as much processor time with 5,000 shipments as with 50, and less than 16 ms', async () => {
  const perKey: number[] = []
  for (const rows of [50, 5000]) {
    const account = await newAccount(service)
    const lines = Array.from({ length: rows }, (_, index) => ({
      kind: 'shipment' as const,
      data: { svc_shipment_id: `T-${index}`, name: `Typed ${index}`, status: 'booked' as const },
    }))
    await account.forwarder.imports(...lines)
    const page = await portal.newPage()
    await signIn(page, 'operations')
    await page.goto(`/office/shipments/grid?account=${account.slug}&tab=all`)
    const grid = page.getByRole('grid', { name: 'Edit shipments' })
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe(String(rows + 1))
    await grid.focus()
    const type = async () => {
      for (let index = 0; index < 10; index += 1) {
        await page.keyboard.type('typed', { delay: 5 })
        await page.keyboard.press('Enter')
      }
    }
    // Once before measuring: the engine compiles what is used often.
    await type()
    const devtools = await page.context().newCDPSession(page)
    // Processor time of the page's main thread, which other work on this machine does not change.
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
    const taskTime = async () => {
      const { metrics } = await devtools.send('Performance.getMetrics')
      return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
    }
    const before = await taskTime()
    await type()
    perKey.push((((await taskTime()) - before) * 1000) / 60)
    await page.close()
  }
  const [few = 0, many = Number.NaN] = perKey
  console.log(`a keystroke took ${few.toFixed(1)} ms with 50 rows, ${many.toFixed(1)} ms with 5,000`)
  expect(few).toBeGreaterThan(0)
  expect(many).toBeLessThan(16)
  expect(many).toBeLessThan(few * 2 + 1)
})
