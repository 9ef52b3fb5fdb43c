import { expect, test } from 'vitest'
import type { Problem } from '../../src/contract/problem.js'
import { line, newAccount } from '../support/account.js'
import { newOperator } from '../support/operator.js'
import { create } from '../support/orders.js'
import { asVisitor, newPerson } from '../support/person.js'
import { startService } from '../support/service.js'

/** Refusals of common mistakes say what to do. */

const service = await startService()

async function problemOf(path: string, key: string): Promise<Problem> {
  const response = await fetch(service.baseUrl + path, { headers: { authorization: `Bearer ${key}` } })
  return (await response.json()) as Problem
}

test('a path with unencoded slashes in a reference explains how to encode them', async () => {
  const { key } = await newAccount(service)
  const operator = await newOperator(service)
  const detail = (name: string) =>
    `There is nothing at this path. Encode slashes in \`${name}\` as %2F, as in PO%2F2026%2F001.`
  const paths: [path: string, key: string, name: string][] = [
    ['/v1/purchaseOrders/PO/2026/001', key, 'reference'],
    ['/v1/purchaseOrders/PO/2026?x=1', key, 'reference'],
    ['/v1/invoices/F/1', key, 'reference'],
    ['/v1/shipments/S/1', key, 'svc_shipment_id'],
    ['/ops/v1/accounts/demo/purchaseOrders/PO/1', operator.key, 'reference'],
  ]
  for (const [path, given, name] of paths) {
    expect({ path, ...(await problemOf(path, given)) }).toMatchObject({
      path,
      code: 'path_not_found',
      detail: detail(name),
    })
  }
  for (const path of [
    '/v1/nothing/PO/2026',
    '/v1/purchase/PO',
    '/elsewhere/a/b/c',
    '/ops/v1/accounts/demo/nothing/x',
  ]) {
    expect(await problemOf(path, key)).toMatchObject({
      code: 'path_not_found',
      detail: expect.not.stringContaining('%2F'),
    })
  }
})

test('an unknown field that resembles a known one gets a suggestion', async () => {
  const account = await newAccount(service)
  const result = await create(account, {
    refrence: 'PO-1',
    productLines: [],
    product_lines: [{ ...line(), quantity: 1 }],
  })
  expect(result).toBeRefused('invalid_request')
  const details = new Map(result.problem.errors?.map(({ pointer, detail }) => [pointer, detail]))
  expect(details.get('/refrence')).toMatch(
    /^is not accepted here \(did you mean `reference`\?\); accepted are: reference, /,
  )
  expect(details.get('/productLines')).toMatch(/\(did you mean `product_lines`\?\)/)
  expect(details.get('/product_lines/0/quantity')).toMatch(/^is not accepted here; accepted are: ordered_quantity, /)
  const query = await problemOf('/v1/shipments?skp=1', account.key)
  expect(query.errors).toEqual([
    { pointer: '/skp', detail: 'is not accepted here (did you mean `skip`?); accepted are: skip, take' },
  ])
})

test('a value in the wrong format is explained in words, on every interface', async () => {
  const account = await newAccount(service)
  const { ops } = await newOperator(service)
  const { portal } = await newPerson(service, account, 'admin')
  const shipment = await ops('createShipment', account.slug, { body: { route: { origin_port_unlocode: 'shanghai' } } })
  const port = 'must have the form CN/SHA: country, slash, three letters or digits, in capitals'
  expect(shipment.problem.errors).toEqual([{ pointer: '/route/origin_port_unlocode', detail: port }])
  const patched = await ops('updateShipment', account.slug, {
    params: { svc_shipment_id: 'x' },
    body: { route: { origin_port_unlocode: 'CN-SH' } },
  })
  expect(patched.problem.errors?.[0]?.detail).toContain(port)
  const location = await ops('createLocation', account.slug, { body: { country: 'China' } })
  expect(location.problem.errors).toEqual([
    { pointer: '/country', detail: 'must be a two-letter country code, such as CN' },
  ])
  const found = await portal('findShipments', { query: { status: 'afloat' } })
  expect(found.problem.errors?.[0]?.detail).toMatch(/^must be one or several of .+, booked, .+, separated by commas$/)
  const invited = await portal('invitePerson', { body: { email: 'kim', name: 'Kim', role: 'viewer' } })
  expect(invited.problem.errors).toEqual([
    { pointer: '/email', detail: 'must be an e-mail address, such as kim@example.com' },
  ])
  const link = await asVisitor(service, 'getLink', { body: { token: 'x'.repeat(20) + '!' } })
  expect(link.text).not.toMatch(/\^|\\w/)
})

test('a body without its media type gets the header to send, and a repeated parameter is named as such', async () => {
  const { key } = await newAccount(service)
  const authorization = `Bearer ${key}`
  // As `curl -d` sends it.
  const untyped = await fetch(`${service.baseUrl}/v1/purchaseOrders`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
    body: '{"reference": "PO-1"}',
  })
  expect(await untyped.json()).toMatchObject({
    code: 'unsupported_media_type',
    detail: 'Send `Content-Type: application/json`, unless the operation specifies another media type.',
  })
  const packed = await fetch(`${service.baseUrl}/v1/purchaseOrders`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: 'x',
  })
  expect(await packed.json()).toMatchObject({ detail: 'Send the body uncompressed, without `Content-Encoding`.' })
  expect(await problemOf('/v1/invoices?take=1&take=2', key)).toMatchObject({
    code: 'invalid_request',
    detail: '/take: must be given only once',
  })
})

test('the error of a value that fits none of several forms names all of them in one sentence', async () => {
  const account = await newAccount(service)
  const product = { sku: 'LAMP-1', is_hazardous: 'yes' as 'true' }
  const result = await create(account, { reference: 'PO-1', product_lines: [{ ...line(), product }] })
  expect(result.problem.errors).toEqual([
    { pointer: '/product_lines/0/product/is_hazardous', detail: 'must be one of: true, false, or a boolean' },
  ])
})
