import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type PortalOperation, portalRefusalsOf } from '../../../src/contract/portal/operation.js'
import { portalOperationNames, portalOperations } from '../../../src/contract/portal/operations.js'
import { portalRights } from '../../../src/contract/portal/rights.js'
import { portalRefusalCodes, refusals } from '../../../src/contract/refusals.js'
import { dereferenced } from '../../support/dereferenced.js'
import { startService } from '../../support/service.js'

const service = await startService()

type Content = Record<string, { schema?: unknown }>
type Described = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security?: object[]
  parameters: { name: string; in: string; required: boolean }[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, { description: string; headers: object; content?: Content }>
}
type Description = {
  openapi: string
  security: object[]
  tags: { name: string }[]
  paths: Record<string, Record<string, Described>>
  components: { schemas: object; securitySchemes: object }
}

async function served(): Promise<Description> {
  const response = await fetch(`${service.baseUrl}/portal/openapi.json`)
  expect(response.headers.get('content-type')).toContain('application/json')
  return (await response.json()) as Description
}

async function description(): Promise<Description> {
  return dereferenced(await served())
}

test('the service serves the checked-in OpenAPI document of the portal', async () => {
  expect(await served()).toEqual(JSON.parse(readFileSync('portal-openapi.json', 'utf8')))
})

test('the reference page of the portal is served', async () => {
  const response = await fetch(`${service.baseUrl}/portal/docs/`)
  expect(response.status).toBe(200)
  expect(await response.text()).toContain('Waybill: portal interface')
})

test('authentication is described by cookie, except for operations that start a session', async () => {
  const { components, security, paths } = await description()
  expect(security).toEqual([{ session: [] }])
  expect(components.securitySchemes).toMatchObject({
    session: { type: 'apiKey', in: 'cookie', name: '__Host-waybill_session' },
  })
  for (const name of portalOperationNames) {
    const { path, method, access }: PortalOperation = portalOperations[name]
    const found = paths[path]?.[method.toLowerCase()]
    expect(found?.security, name).toEqual(access === 'anyone' ? [] : undefined)
  }
})

test('every operation is described with its roles, bodies and refusals', async () => {
  const { paths, openapi, tags } = await description()
  expect(openapi).toMatch(/^3\.1\./)
  const described = Object.values(paths).flatMap((path) => Object.values(path))
  expect(described.map(({ operationId }) => operationId).toSorted()).toEqual(portalOperationNames.toSorted())
  for (const name of portalOperationNames) {
    const operation: PortalOperation = portalOperations[name]
    const { path, method, success, summary, access, tag } = operation
    const found = paths[path]?.[method.toLowerCase()] as Described
    expect(found, name).toMatchObject({ summary, tags: [tag] })
    expect(tags.map((each) => each.name)).toContain(tag)
    for (const role of access === 'anyone' ? ['anyone'] : portalRights[access]) {
      expect(found.description, name).toContain(role)
    }
    expect(found.responses[success.status]?.content, name).toBeDefined()
    for (const code of portalRefusalsOf(operation)) {
      expect(found.responses[refusals[code].status]?.description, `${name} ${code}`).toContain(`\`${code}\``)
    }
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, param = '']) => param)
    const params = found.parameters.filter((parameter) => parameter.in === 'path')
    expect(params.map((parameter) => parameter.name).toSorted(), name).toEqual(inPath.toSorted())
  }
})

test('operations that change data are described with their CSRF token', async () => {
  const { paths } = await description()
  for (const name of portalOperationNames) {
    const { path, method, access }: PortalOperation = portalOperations[name]
    const found = paths[path]?.[method.toLowerCase()] as Described
    const token = found.parameters.find((parameter) => parameter.name === 'X-CSRF-Token')
    if (method === 'GET' || access === 'anyone') expect(token, name).toBeUndefined()
    else expect(token, name).toMatchObject({ in: 'header', required: true })
  }
})

test('files, forms and events are described with their media types', async () => {
  const { paths } = await description()
  const contentOf = (path: string, method = 'get', status = 200) =>
    Object.keys(paths[path]?.[method]?.responses[status]?.content ?? {})
  expect(contentOf('/portal/v1/invoices/{reference}/pdf')).toEqual(['application/pdf'])
  expect(contentOf('/portal/v1/documents/zip')).toEqual(['application/zip'])
  const workbook = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  expect(contentOf('/portal/v1/shipments/export')).toEqual(['text/csv', workbook])
  expect(contentOf('/portal/v1/purchase-orders/template')).toEqual([workbook])
  expect(contentOf('/portal/v1/changes')).toEqual(['text/event-stream'])
  expect(contentOf('/portal/v1/people')).toEqual(['application/json'])
  const sheet = paths['/portal/v1/purchase-orders/check']?.post
  expect(Object.keys(sheet?.requestBody?.content ?? {})).toEqual(['multipart/form-data'])
  expect(sheet?.parameters.map(({ name }) => name)).toEqual(['columns', 'dates', 'X-CSRF-Token'])
  const stream = paths['/portal/v1/changes']?.get
  expect(stream?.parameters.map(({ name }) => name)).toEqual(['after', 'Last-Event-ID'])
  expect(stream?.responses[304]).toBeUndefined()
  expect(paths['/portal/v1/session']?.post?.responses[201]?.headers).toHaveProperty('Set-Cookie')
})

test('every schema of the OpenAPI document has exactly one name', async () => {
  const document = await served()
  const { components } = document
  const text = JSON.stringify(document)
  const used = new Set([...text.matchAll(/#\/components\/schemas\/([^"]*)/g)].map(([, name = '']) => name))
  expect([...used].toSorted()).toEqual(Object.keys(components.schemas).toSorted())
  for (const name of used) expect(name).toMatch(/^[A-Z]\w+$/)
})

test('every portal refusal has a page and a list entry, and is declared by an operation', async () => {
  const declared = new Set(portalOperationNames.flatMap((name) => portalRefusalsOf(portalOperations[name])))
  const [, section = ''] = readFileSync('docs/errors.md', 'utf8').split('## The portal\n')
  // Of a page that mail programs request: no operation.
  declared.add('unsubscribe_link_not_valid')
  for (const code of portalRefusalCodes) {
    expect(declared, code).toContain(code)
    expect(section).toContain(`### \`${code}\``)
    const response = await fetch(`${service.baseUrl}/errors/${code}`)
    expect(response.status, code).toBe(200)
    expect(await response.text()).toContain(refusals[code].title)
  }
})

test('unknown paths and methods under /portal/v1 get a problem body', async () => {
  for (const path of ['/portal/v1', '/portal/v1/', '/portal/v1/nowhere', '/portal/v1/people/1/nowhere']) {
    for (const method of ['GET', 'POST']) {
      const response = await fetch(service.baseUrl + path, { method })
      expect({ status: response.status, text: await response.text() }, path).toBeRefused('path_not_found')
    }
  }
  for (const path of new Set(portalOperationNames.map((name) => portalOperations[name].path as string))) {
    const own = portalOperationNames
      .map((name) => portalOperations[name] as PortalOperation)
      .filter((each) => each.path === path)
    const headed = own.flatMap(({ method, returns }) =>
      method === 'GET' && returns !== 'events' ? ['GET', 'HEAD'] : [method],
    )
    const response = await fetch(service.baseUrl + path.replaceAll(/\{\w+\}/g, 'x'), { method: 'OPTIONS' })
    expect({ status: response.status, text: await response.text() }, path).toBeRefused('method_not_allowed')
    expect(response.headers.get('allow')?.split(', ').toSorted(), path).toEqual(headed.toSorted())
  }
})
