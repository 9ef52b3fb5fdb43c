import { expect, test } from 'vitest'
import { sendTo } from '../../../src/client/client.js'
import {
  type OperatorBody,
  type OperatorOperationName,
  operatorOperations,
} from '../../../src/contract/operator/operations.js'
import { newAccount } from '../../support/account.js'
import { newOperatorPerson, startOffice } from '../../support/office.js'
import { checkedOperatorResponse } from '../../support/operator.js'
import { newEmail } from '../../support/person.js'

/** People of the forwarder who work for some accounts only. */

const service = await startOffice()
const { baseUrl } = service
const admin = await newOperatorPerson(service)
const [one, other] = [await newAccount(service), await newAccount(service)]

type Given<Name extends OperatorOperationName> = { params?: Record<string, string>; body?: OperatorBody<Name> }

async function ask<Name extends OperatorOperationName>(
  { headers }: { headers: Record<string, string> },
  name: Name,
  input: Given<Name> = {},
) {
  const fetchWith: typeof fetch = (address, init = {}) =>
    fetch(address, { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), ...headers } })
  return checkedOperatorResponse(name, await sendTo({ baseUrl, fetch: fetchWith }, operatorOperations[name], input))
}

const limit = (person_id: string, accounts: string[] | null) =>
  ask(admin, 'updateStaff', { params: { person_id }, body: { accounts } })

async function accountsSeenBy(person: { headers: Record<string, string> }) {
  return (await ask(person, 'listAccounts')).body.map(({ slug }) => slug)
}

test('the next request of a person sees the accounts that they are limited to, and all of them when the limit is lifted', async () => {
  const person = await newOperatorPerson(service, 'finance')
  expect(await accountsSeenBy(person)).toEqual(expect.arrayContaining([one.slug, other.slug]))
  expect((await limit(person.person_id, [one.slug])).body).toMatchObject({ accounts: [one.slug] })
  expect(await accountsSeenBy(person)).toEqual([one.slug])
  expect(await ask(person, 'getAccount', { params: { account: other.slug } })).toBeRefused('account_not_found')
  expect(await ask(person, 'setChargeTemplate', { params: { name: 'X' }, body: { lines: [] } as never })).toBeRefused(
    'limited_to_accounts',
  )
  expect((await limit(person.person_id, null)).body).not.toHaveProperty('accounts')
  expect(await accountsSeenBy(person)).toContain(other.slug)
})

test('somebody is invited for some accounts; an account that does not exist is named', async () => {
  const invite = (accounts: string[]) =>
    ask(admin, 'inviteStaff', { body: { email: newEmail(), name: 'Kim', role: 'operations', accounts } })
  expect((await invite([other.slug, one.slug])).body).toMatchObject({ accounts: [one.slug, other.slug].toSorted() })
  const refused = await invite([one.slug, 'no-such-account'])
  expect(refused).toBeRefused('invalid_request')
  expect(refused.problem.errors).toMatchObject([{ pointer: '/accounts/1' }])
})

test('somebody who works for one account does not see for which others their colleagues work', async () => {
  const [viewer, colleague] = [await newOperatorPerson(service, 'viewer'), await newOperatorPerson(service, 'viewer')]
  await limit(viewer.person_id, [one.slug])
  await limit(colleague.person_id, [one.slug, other.slug])
  const staff = await ask(viewer, 'listStaff')
  expect(staff.text).not.toContain(other.slug)
  expect(staff.body.find(({ person_id }) => person_id === colleague.person_id)).toMatchObject({ accounts: [one.slug] })
})

test('the last admin who works for all accounts is not limited, demoted or disabled', async () => {
  const second = await newOperatorPerson(service)
  await limit(second.person_id, [one.slug])
  const change = (body: OperatorBody<'updateStaff'>) =>
    ask(admin, 'updateStaff', { params: { person_id: admin.person_id }, body })
  expect(await change({ accounts: [one.slug] })).toBeRefused('last_admin')
  expect(await change({ role: 'viewer' })).toBeRefused('last_admin')
  expect((await ask(admin, 'removeStaff', { params: { person_id: second.person_id } })).status).toBe(200)
})

test('an admin of some accounts administers these, and neither staff nor what all accounts share', async () => {
  const person = await newOperatorPerson(service)
  await limit(person.person_id, [one.slug])
  const invited = { email: newEmail(), name: 'Kim', role: 'admin' as const }
  expect((await ask(person, 'createKey', { params: { account: one.slug }, body: {} })).status).toBe(201)
  expect(await ask(person, 'createKey', { params: { account: other.slug }, body: {} })).toBeRefused('account_not_found')
  expect(await ask(person, 'inviteStaff', { body: invited })).toBeRefused('limited_to_accounts')
  expect(await limit(person.person_id, null)).toMatchObject({ status: 200 })
})

test('the audit log has who limited whom to which accounts', async () => {
  const person = await newOperatorPerson(service, 'viewer')
  await limit(person.person_id, [one.slug])
  const { body } = await ask(admin, 'listForwarderAudit')
  expect(body.entries[0]).toMatchObject({
    action: 'accounts_changed',
    subject: person.person_id,
    details: { before: 'all', after: one.slug },
  })
})
