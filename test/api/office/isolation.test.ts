import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { officeOperationNames, officeOperations, rolesFor } from '../../../src/contract/office/operations.js'
import { isRead } from '../../../src/contract/operation.js'
import { operatorRoles } from '../../../src/contract/operator/accounts.js'
import type { PortalOperation } from '../../../src/contract/portal/operation.js'
import type { PortalRight } from '../../../src/contract/portal/rights.js'
import type { RefusalCode } from '../../../src/contract/refusals.js'
import { forwarderAccount } from '../../../src/database/account-id.js'
import { newToken } from '../../../src/usecases/people/passwords.js'
import { setDisabled } from '../../../src/usecases/people/update-role.js'
import { type AnyRequest, newFullAccount, officeRequests, portalRequests } from '../../support/every-operation.js'
import { asOperator, newOperatorPerson, startOffice } from '../../support/office.js'
import { newOperator } from '../../support/operator.js'
import { storedState } from '../../support/stored-state.js'

/** Every operation of the office, requested by everyone who may not. */

const service = await startOffice()
const { baseUrl, db } = service
const resident = await newFullAccount(service)
const system = await newOperator(service)
const operator = await newOperatorPerson(service)
const requests = officeRequests(baseUrl, resident)
const accessOf = ({ operation }: AnyRequest) => (operation as PortalOperation).access
const forOperators = requests.filter((request) => accessOf(request) !== 'anyone')

async function expectRefused(refused: AnyRequest[], headers: Record<string, string>, code: RefusalCode) {
  expect(refused.length).toBeGreaterThan(0)
  const states = () => Promise.all([forwarderAccount, resident.account.id].map((account) => storedState(db, account)))
  const before = await states()
  for (const { name, send } of refused) expect(await send(headers), name).toBeRefused(code)
  expect(await states()).toEqual(before)
}

async function disabledOperator() {
  const person = await newOperatorPerson(service)
  await setDisabled(db, forwarderAccount, person.person_id, true)
  return person.headers
}

const underItsName = resident.admin.headers.cookie.replace('waybill_session', 'waybill_office')

test.each([
  ['no session', {}],
  ["a customer's key", { authorization: `Bearer ${resident.account.key}` }],
  ["an operator's key", { authorization: `Bearer ${system.key}` }],
  ['an unknown session', asOperator(service, newToken()).headers],
  ['a session of the portal', resident.admin.headers],
  ["a session of the portal under the office's name", { ...resident.admin.headers, cookie: underItsName }],
  ['a session of a disabled operator', await disabledOperator()],
])('every operation of the office is refused with %s', async (_, headers) => {
  await expectRefused(forOperators, headers, 'not_signed_in')
})

test.each([
  ['waybill_office', operator.headers.cookie],
  ['waybill_session', operator.headers.cookie.replace('waybill_office', 'waybill_session')],
])('every operation of the portal is refused with a session of an operator in %s', async (_, cookie) => {
  const ofPeople = portalRequests(baseUrl, resident).filter((request) => accessOf(request) !== 'anyone')
  await expectRefused(ofPeople, { ...operator.headers, cookie }, 'not_signed_in')
})

test.each([
  ['no token of the session', { cookie: operator.headers.cookie }],
  ['a token of another session', { ...operator.headers, 'x-csrf-token': resident.admin.headers['x-csrf-token'] }],
  ['another origin', { ...operator.headers, origin: 'https://evil.example' }],
  ['another site', { ...operator.headers, 'sec-fetch-site': 'cross-site' }],
])('writes at the office are refused with %s', async (_, headers) => {
  const writes = forOperators.filter(({ operation }) => !isRead(operation))
  await expectRefused(writes, headers, 'foreign_origin')
})

test.each(operatorRoles)('the role %s may do what its rights allow, and nothing else', async (role) => {
  const { headers } = await newOperatorPerson(service, role)
  const may = (request: AnyRequest) => rolesFor('office', accessOf(request) as PortalRight).includes(role)
  const refused = forOperators.filter((request) => !may(request))
  if (role === 'admin') expect(refused).toEqual([])
  else await expectRefused(refused, headers, 'insufficient_role')
  for (const { name, send } of forOperators.filter((request) => may(request) && request.name !== 'signOut')) {
    const { status, text } = await send(headers)
    const isProof = /wrong_password|second_factor_failed|passkey_refused/.test(text)
    expect([401, 403].includes(status) && !isProof, `${name} ${text}`).toBe(false)
  }
})

test('the service serves the checked-in OpenAPI document of the office, with every operation and its roles', async () => {
  const served = (await (await fetch(`${baseUrl}/office/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { operationId: string; description: string }>>
  }
  expect(served).toEqual(JSON.parse(readFileSync('office-openapi.json', 'utf8')))
  for (const name of officeOperationNames) {
    const { path, method, access } = officeOperations[name]
    expect(path).toMatch(/^\/office\/v1\//)
    const found = served.paths[path]?.[method.toLowerCase()]
    expect(found?.operationId).toBe(name)
    if (access === 'read') expect(found?.description).toContain('admin, operations, finance, viewer')
  }
  const page = await fetch(`${baseUrl}/office/docs/`)
  expect(await page.text()).toContain('Waybill: office interface')
})

test('unknown paths under /office/v1 get a problem body, to browsers as well', async () => {
  for (const path of ['/office/v1', '/office/v1/nowhere']) {
    const response = await fetch(baseUrl + path, { headers: { accept: 'text/html' } })
    expect({ status: response.status, text: await response.text() }).toBeRefused('path_not_found')
  }
})
