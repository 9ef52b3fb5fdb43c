import { expect, onTestFinished, test } from 'vitest'
import { runWebhooks } from '../../../src/usecases/webhooks/run-webhooks.js'
import { newAccount } from '../../support/account.js'
import { newOperatorPerson } from '../../support/office.js'
import { testPassword } from '../../support/person.js'
import { startReceiver } from '../../support/webhook-receiver.js'
import { expectAccessible, expectNoSidewaysScroll, phone, startPortal } from './support.js'

const portal = await startPortal({ webhooksToPrivateNetworks: true })
function startSending(): void {
  const stop = new AbortController()
  const mail = { base: 'http://portal.forwarder.example', forwarderName: 'Forwarder' }
  const onError = (error: unknown) => expect.unreachable(String(error))
  const running = runWebhooks(portal.service.db, { allowsPrivate: true, mail, signal: stop.signal, onError, pause: 50 })
  onTestFinished(async () => {
    stop.abort()
    await running
  })
}

test('a webhook is added, tested, looked into, paused and removed on the page for developers', async () => {
  startSending()
  const receiver = await startReceiver()
  const page = await portal.signedIn('/developers')
  portal.expectFailures('/v1/webhooks')
  await page.getByRole('button', { name: 'Add webhook' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Address' }).fill('https://169.254.169.254/latest')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Add webhook' }).click()
  await dialog.getByText('must lead to a public address').waitFor()
  await dialog.getByRole('textbox', { name: 'Address' }).fill(receiver.url)
  await dialog.getByRole('checkbox', { name: 'Shipments' }).check()
  await dialog.getByRole('button', { name: 'Add webhook' }).click()
  receiver.secrets.push(await dialog.getByText(/^whsec_/).innerText())
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Done' }).click()

  const row = page.getByRole('table', { name: 'Webhooks' }).getByRole('row').nth(1)
  const menu = row.getByRole('button', { name: /^Actions for/ })
  await menu.click()
  await page.getByRole('menuitem', { name: 'Send a test event' }).click()
  await expect
    .poll(() => receiver.received.map(({ type, isValid }) => [type, isValid]))
    .toEqual([['webhook.test', true]])
  await row.getByRole('button', { name: 'Deliveries' }).click()
  await dialog.getByText('Delivered, 204').waitFor()
  await dialog.getByRole('button', { name: 'Details of webhook.test' }).click()
  await dialog.getByRole('region', { name: 'Details of webhook.test' }).getByText('"type": "webhook.test"').waitFor()
  await expectAccessible(page)
  receiver.respond = (_request, response) => void response.writeHead(503).end('closed for stocktaking')
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await expect.poll(() => receiver.received.length).toBe(2)
  await dialog.getByText('closed for stocktaking').waitFor()
  await page.keyboard.press('Escape')

  await menu.click()
  await page.getByRole('menuitem', { name: 'Pause' }).click()
  await row.getByText('Paused').waitFor()
  await page.setViewportSize(phone)
  await expectNoSidewaysScroll(page)
  await menu.click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('No webhooks yet').waitFor()
})

test('the forwarder sees the webhooks of all customers in the office with their deliveries, disables one and enables it', async () => {
  startSending()
  const receiver = await startReceiver()
  const customers = [await newAccount(portal.service), await newAccount(portal.service)]
  const urls = customers.map(({ slug }) => `${receiver.url}/${slug}`)
  for (const [index, { call }] of customers.entries()) {
    const { body } = await call('createWebhook', { body: { url: urls[index] as string } })
    receiver.secrets.push(body.secret)
    await call('testWebhook', { params: { webhook_id: body.webhook.webhook_id } })
  }
  await expect.poll(() => receiver.received.map(({ isValid }) => isValid)).toEqual([true, true])

  const page = await portal.newPage()
  const { email } = await newOperatorPerson(portal.service, 'operations')
  await page.context().request.post('/office/v1/session', { data: { email, password: testPassword } })
  await page.goto('/office')
  await page.getByRole('link', { name: 'Webhooks' }).click()
  const rowOf = (slug: string) => page.getByRole('table', { name: 'Webhooks' }).getByRole('row', { name: slug })
  for (const { slug } of customers) await rowOf(slug).getByText('Active').waitFor()
  await expectAccessible(page)

  const [first, second] = customers.map(({ slug }) => rowOf(slug))
  await first?.getByRole('button', { name: `Deliveries to ${urls[0]}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Delivered, 204').waitFor()
  await dialog.getByRole('button', { name: 'Details of webhook.test' }).click()
  await dialog.getByText('"type": "webhook.test"').waitFor()
  expect(await dialog.getByRole('button', { name: 'Send again' }).count()).toBe(0)
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  await first?.getByRole('button', { name: `Disable ${urls[0]}` }).click()
  await first?.getByText('Disabled by us.').waitFor()
  await second?.getByText('Active').waitFor()
  await page.goto('/office/webhooks?state=disabled')
  await first?.getByRole('button', { name: `Enable ${urls[0]}` }).click()
  await page.getByText('No webhook has this status.').waitFor()
  await page.setViewportSize(phone)
  await page.goto('/office/webhooks')
  await first?.getByText('Active').waitFor()
  await expectNoSidewaysScroll(page)
})
