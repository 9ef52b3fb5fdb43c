import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { operationNames, operations, refusalsOf } from '../../../src/contract/public/operations.js'
import { refusalCodes, refusals } from '../../../src/contract/refusals.js'
import { startBrowser } from '../../support/browser.js'
import { dereferenced } from '../../support/dereferenced.js'
import { startService } from '../../support/service.js'

const service = await startService()

test('the service serves the checked-in OpenAPI document of the public interface', async () => {
  const response = await fetch(`${service.baseUrl}/openapi.json`)
  expect(response.headers.get('content-type')).toContain('application/json')
  expect(await response.json()).toEqual(JSON.parse(readFileSync('openapi.json', 'utf8')))
})

type Described = { responses: Record<string, { description: string; content?: Record<string, { example?: unknown }> }> }
type Description = {
  openapi: string
  info: { version: string }
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, { properties: Record<string, { deprecated?: boolean }> }> }
}

test('every operation is described with its refusals and an example from the sandbox', async () => {
  const description = dereferenced(JSON.parse(readFileSync('openapi.json', 'utf8')) as Description)
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

test.each(['openapi.json', 'ops-openapi.json', 'portal-openapi.json', 'office-openapi.json'])(
  '%s defines each error response once and references it in every operation',
  (file) => {
    const { paths } = JSON.parse(readFileSync(file, 'utf8')) as Description
    const responses = Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap((operation) => Object.entries(operation.responses)),
    )
    const errors = responses.filter(([status]) => Number(status) >= 300)
    expect(errors.length).toBeGreaterThan(0)
    for (const [status, response] of errors) {
      expect(response, status).toEqual({ $ref: expect.stringMatching(/^#\/components\/responses\//) })
    }
  },
)

test('every error code has a page at its type URL, and is in the list', async () => {
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

test('the reference page of the public interface loads nothing from other hosts', async () => {
  const browser = await startBrowser()
  const page = await browser.newPage()
  const foreign: string[] = []
  const failures: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(service.baseUrl) && !/^(?:data|blob):/.test(url)) foreign.push(url)
  })
  page.on('pageerror', (error) => failures.push(error.message))
  // Violations of the page's policy are reported there.
  page.on('console', (message) => message.type() === 'error' && failures.push(message.text()))
  await page.goto(`${service.baseUrl}/docs`)
  await page.getByRole('heading', { name: 'Waybill: freight forwarding service' }).waitFor()
  await page
    .getByRole('button', { name: /^Purchase orders/ })
    .first()
    .click()
  await page.getByRole('heading', { name: 'Create a purchase order' }).first().waitFor()
  expect(foreign).toEqual([])
  expect(failures).toEqual([])
})
