import { expect, test } from 'vitest'
import { isRefusedToViewers, type PortalOperation } from '../../../src/contract/portal/operation.js'
import { portalOperationNames, portalOperations } from '../../../src/contract/portal/operations.js'
import { operationNames, operations } from '../../../src/contract/public/operations.js'
import { csrfTokenOf } from '../../../src/usecases/people/session-response.js'
import { newAccount } from '../../support/account.js'
import { newOperatorPerson } from '../../support/office.js'
import { newOperator } from '../../support/operator.js'
import { newPerson } from '../../support/person.js'
import { startService } from '../../support/service.js'

const service = await startService()
const { baseUrl, db } = service

/** An admin of a new account, and the forwarder's Olga, who sees the portal as they do. */
async function newViewing() {
  const account = await newAccount(service)
  const admin = await newPerson(service, account, 'admin', { name: 'Kim Larsen' })
  const olga = await newOperatorPerson(service, 'operations', { name: 'Olga Ops' })
  const path = `/ops/v1/accounts/${account.slug}/people/${admin.person_id}/viewing`
  const started = await fetch(baseUrl + path, { method: 'POST', headers: olga.headers })
  expect(started.status).toBe(201)
  const { url } = (await started.json()) as { url: string }
  const link = url.split('#').at(-1) ?? ''
  const open = () =>
    fetch(`${baseUrl}/portal/v1/session/viewing`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: link }),
    })
  const opened = await open()
  expect(opened.status).toBe(201)
  const token = /waybill_session=([\w-]+)/.exec(opened.headers.get('set-cookie') ?? '')?.[1] ?? ''
  const headers = { cookie: `waybill_session=${token}`, 'x-csrf-token': csrfTokenOf(token) }
  return { account, admin, link, open, headers, session: (await opened.json()) as { viewer: string } }
}

const pathOf = (path: string) => path.replaceAll(/\{\w+\}/g, 'x1')
const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code

test('an operator who views as a user reads what they read, and every write of the portal and of /v1 is refused', async () => {
  const { account, admin, headers, session } = await newViewing()
  expect(session.viewer).toBe('Olga Ops')
  const [before] = await db`select revision from accounts where slug = ${account.slug}`
  for (const path of ['/portal/v1/overview', '/portal/v1/people', '/v1/locations']) {
    expect((await fetch(baseUrl + path, { headers })).status, path).toBe(200)
  }
  const refused: [string, string][] = []
  for (const name of portalOperationNames) {
    const { method, path, ...rest }: PortalOperation = portalOperations[name]
    if (!isRefusedToViewers({ method, path, ...rest })) continue
    const response = await fetch(baseUrl + pathOf(path), { method, headers })
    refused.push([name, await codeOf(response)])
  }
  expect(refused.length).toBeGreaterThan(30)
  expect(refused.filter(([, code]) => code !== 'viewing_only')).toEqual([])
  const writes = operationNames.filter((name) => operations[name].method !== 'GET')
  for (const name of writes) {
    const { method, path } = operations[name]
    const response = await fetch(baseUrl + pathOf(path), {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{}',
    })
    expect(await codeOf(response), name).toBe('insufficient_scope')
  }
  expect((await db`select revision from accounts where slug = ${account.slug}`)[0]).toEqual(before)
  const [person] = await db`select last_seen_at from people where person_id = ${admin.person_id}`
  expect(person?.last_seen_at).not.toBeUndefined()
})

test('the account’s admin sees in the audit log who viewed as whom, until when, and its end', async () => {
  const { admin, headers } = await newViewing()
  const listed = (await admin.portal('listSessions')).body.find(({ viewer }) => viewer !== undefined)
  expect(listed).toMatchObject({ viewer: 'Olga Ops', signed_in_with: 'viewing' })
  expect((await fetch(`${baseUrl}/portal/v1/session`, { method: 'DELETE', headers })).status).toBe(200)
  expect((await fetch(`${baseUrl}/portal/v1/people`, { headers })).status).toBe(401)
  const { entries } = (await admin.portal('listAudit', { query: { kind: 'operator' } })).body
  expect(entries.map(({ action, actor_name }) => [action, actor_name])).toEqual([
    ['viewing_ended', 'Olga Ops'],
    ['viewing_started', 'Olga Ops'],
  ])
  expect(entries[1]).toMatchObject({ subject: admin.person_id, details: { name: 'Kim Larsen' } })
})

test('the link works once, is no session itself, and the session ends after an hour', async () => {
  const { account, admin, link, open, headers } = await newViewing()
  expect(await codeOf(await open())).toBe('link_not_valid')
  const asCookie = await fetch(`${baseUrl}/portal/v1/people`, { headers: { cookie: `waybill_session=${link}` } })
  expect(asCookie.status).toBe(401)
  const [session] = await db<{ left: number }[]>`
    select extract(epoch from expires_at - now())::float8 as left from sessions
    where person_id = ${admin.person_id} and viewer is not null`
  expect(session?.left).toBeLessThanOrEqual(3600)
  await db`update sessions set expires_at = now() where person_id = ${admin.person_id} and viewer is not null`
  expect((await fetch(`${baseUrl}/portal/v1/people`, { headers })).status).toBe(401)
  const { ops } = await newOperator(service, 'admin')
  const params = { person_id: admin.person_id }
  await ops('updateAccountPerson', account.slug, { params, body: { disabled: true } })
  expect(await ops('startViewing', account.slug, { params })).toBeRefused('person_not_viewable')
})
