import { expect, test } from 'vitest'
import { newAccount } from '../../support/account.js'
import { asOperator, newOperatorPerson, officeSession, sendToOffice } from '../../support/office.js'
import { type RunningProvider, startProvider, Visitor } from '../../support/oidc-test-provider.js'
import { newPerson } from '../../support/person.js'
import { type RunningService, startService } from '../../support/service.js'

/** Operators sign in at the office with the company's provider: a real one, started by the tests. */

type Both = { provider: RunningProvider; service: RunningService }

async function startBoth(): Promise<Both> {
  const provider = await startProvider({ emailIn: 'ID token' })
  const service = await startService({ portal: { sendMail: async () => {}, provider: provider.settings } })
  provider.trust(service.baseUrl)
  return { provider, service }
}

/** Signs in at the provider, and returns to the site. */
async function signIn({ provider, service }: Both, visitor: Visitor, site: 'portal' | 'office', email: string) {
  provider.somebody = { sub: email, email, email_verified: true }
  const started = await visitor.get(`${service.baseUrl}/${site}/v1/provider`)
  expect(started.status).toBe(302)
  return visitor.get(await visitor.leave(started.headers.get('location') as string))
}

test('an operator asserted by the provider is signed in at the office, and at no other site', async () => {
  const both = await startBoth()
  const { service } = both
  const { email, person_id } = await newOperatorPerson(service, 'finance')
  const options = await sendToOffice(service, 'getSignInOptions')
  expect(options.body).toMatchObject({ demo: false, provider: { name: 'Northwind ID' } })
  const visitor = new Visitor()
  const response = await signIn(both, visitor, 'office', email)
  expect(response.headers.get('location')).toBe('/office')
  const cookies = visitor.cookiesOf(service.baseUrl)
  expect([...cookies.keys()]).toEqual(['waybill_office', 'waybill_device'])
  const { office } = asOperator(service, cookies.get('waybill_office') as string)
  expect(officeSession(await office('getSession'))).toMatchObject({
    signed_in_with: 'provider',
    person: { person_id, role: 'finance' },
  })

  const elsewhere = new Visitor()
  const refused = await signIn(both, elsewhere, 'portal', email)
  expect(refused.headers.get('location')).toBe('/sign-in?refused=provider')
  expect(elsewhere.cookiesOf(service.baseUrl).has('waybill_session')).toBe(false)
})

test('a person of a customer is refused at the office', async () => {
  const both = await startBoth()
  const { email } = await newPerson(both.service, await newAccount(both.service))
  const visitor = new Visitor()
  const refused = await signIn(both, visitor, 'office', email)
  expect(refused.headers.get('location')).toBe('/office/sign-in?refused=provider')
  expect(visitor.cookiesOf(both.service.baseUrl).has('waybill_office')).toBe(false)
})

test('somebody who is an operator and a person of a customer signs in at both sites with one subject', async () => {
  const both = await startBoth()
  const { service } = both
  const { email, person_id } = await newPerson(service, await newAccount(service))
  const operator = await newOperatorPerson(service, 'viewer', { email })
  const visitor = new Visitor()
  expect((await signIn(both, visitor, 'portal', email)).headers.get('location')).toBe('/')
  expect((await signIn(both, visitor, 'office', email)).headers.get('location')).toBe('/office')
  const people = [person_id, operator.person_id]
  const sessions = await service.db<{ person_id: string }[]>`
    select person_id from sessions where signed_in_with = 'provider' and person_id = any(${people})`
  expect(sessions.map((row) => row.person_id).toSorted()).toEqual(people.toSorted())
})
