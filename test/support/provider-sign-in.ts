import { expect } from 'vitest'
import { type RunningProvider, type Somebody, startProvider, Visitor } from './oidc-test-provider.js'
import { asPerson } from './person.js'
import { type RunningService, startService } from './service.js'

/** A service and its OpenID Connect provider, and sign-ins with it. */

export type Both = { provider: RunningProvider; service: RunningService }

export async function startBoth(emailIn: 'ID token' | 'userinfo' = 'ID token'): Promise<Both> {
  const provider = await startProvider({ emailIn })
  const sendMail = async () => {}
  const service = await startService({ portal: { sendMail, provider: provider.settings } })
  provider.trust(service.baseUrl)
  return { provider, service }
}

/** Signs in at the provider, and returns the callback URL. */
export async function signInAtProvider(
  { provider, service }: Both,
  visitor: Visitor,
  who: Somebody,
  to = '',
  isAgain = false,
): Promise<string> {
  provider.somebody = who
  const query = new URLSearchParams({ ...(to && { to }), ...(isAgain && { again: 'true' }) })
  const started = await visitor.get(`${service.baseUrl}/portal/v1/provider?${query}`)
  expect(started.status).toBe(302)
  return visitor.leave(started.headers.get('location') as string)
}

/** A session that was started with the provider. */
export async function signedInWithProvider(both: Both, email: string, visitor = new Visitor()) {
  await visitor.get(await signInAtProvider(both, visitor, { email }))
  return asPerson(both.service, visitor.cookiesOf(both.service.baseUrl).get('waybill_session') as string)
}

/** The visitor is sent to the sign-in page, without a session. */
export async function expectRefused(
  visitor: Visitor,
  { service }: Both,
  address: string,
  as = 'provider',
): Promise<void> {
  const response = await visitor.get(address)
  expect(response.status).toBe(302)
  expect(response.headers.get('location')).toBe(`/sign-in?refused=${as}`)
  expect(visitor.cookiesOf(service.baseUrl).has('waybill_session')).toBe(false)
}
