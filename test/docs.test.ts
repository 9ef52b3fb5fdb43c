import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { operationNames, operations, refusalsOf } from '../src/contract/operations.js'
import { refusalCodes, refusals } from '../src/contract/refusals.js'
import { startBrowser } from './support/browser.js'
import { startService } from './support/service.js'

const service = await startService()

test('the service answers with the description that is checked in', async () => {
  const response = await fetch(`${service.baseUrl}/openapi.json`)
  expect(response.headers.get('content-type')).toContain('application/json')
  expect(await response.json()).toEqual(JSON.parse(readFileSync('openapi.json', 'utf8')))
})

type Described = { responses: Record<string, { description: string; content?: Record<string, { example?: unknown }> }> }

test('every operation is described with its refusals and an example from the sandbox', async () => {
  const description = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
    openapi: string
    info: { version: string }
    paths: Record<string, Record<string, Described>>
    components: { schemas: Record<string, { properties: Record<string, { deprecated?: boolean }> }> }
  }
  expect(description.openapi).toMatch(/^3\.1\./)
  expect(description.info.version).toBe('1.3.2')
  expect(description.components.schemas.Load?.properties.volume_unit?.deprecated).toBe(true)
  for (const name of operationNames) {
    const { path, method, success } = operations[name]
    const described = description.paths[path]?.[method.toLowerCase()] as Described
    expect(described.responses[success.status]?.content?.['application/json']?.example, name).toBeTruthy()
    for (const code of refusalsOf(operations[name])) {
      expect(described.responses[refusals[code].status]?.description, `${name} ${code}`).toContain(`\`${code}\``)
    }
  }
})

test('every error code has a page at its type address, and the list of them names it', async () => {
  const list = await (await fetch(`${service.baseUrl}/errors/`)).text()
  for (const code of refusalCodes) {
    const response = await fetch(`${service.baseUrl}/errors/${code}`)
    expect(response.status, code).toBe(200)
    expect(response.headers.get('content-type')).toContain('text/html')
    expect(await response.text()).toContain(refusals[code].title)
    expect(list).toContain(`href="/errors/${code}"`)
    expect(readFileSync('docs/errors.md', 'utf8')).toContain(`## \`${code}\``)
  }
  expect((await fetch(`${service.baseUrl}/errors/no_such_code`)).status).toBe(404)
})

test('the reference page works with no network but the service itself', async () => {
  const browser = await startBrowser()
  const page = await browser.newPage()
  const foreign: string[] = []
  const failures: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(service.baseUrl) && !/^(?:data|blob):/.test(url)) foreign.push(url)
  })
  page.on('pageerror', (error) => failures.push(error.message))
  // What the policy of the page does not allow is told there.
  page.on('console', (message) => message.type() === 'error' && failures.push(message.text()))
  await page.goto(`${service.baseUrl}/docs`)
  await page.getByRole('heading', { name: 'Waybill: freight forwarding service' }).waitFor()
  await page.getByRole('link', { name: 'Purchase orders' }).first().click()
  await page.getByRole('heading', { name: 'Create a purchase order' }).first().waitFor()
  expect(foreign).toEqual([])
  expect(failures).toEqual([])
})
