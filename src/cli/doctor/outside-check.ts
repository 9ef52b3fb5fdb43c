import { checkProvider } from '../../api/portal/oidc-provider.js'
import { Failure } from '../failure.js'
import { checkMailServer } from '../mail.js'
import type { Settings } from '../settings.js'
import { catchFindings, type Finding, ok, skipped } from './finding.js'

/** Checks the mail server and the sign-in provider. */
export async function checkOutside({ mail, provider }: Settings): Promise<Finding[]> {
  const found = await Promise.all([checkMail(mail), checkSignIn(provider)])
  return found.flat()
}

async function checkMail(mail: Settings['mail']): Promise<Finding[]> {
  if (!mail) return [skipped('mail', 'no mail server is set: links are printed instead')]
  const { host, port } = mail.server
  const fix = 'correct WAYBILL_SMTP_URL, or allow this machine on the mail server'
  return catchFindings('mail', fix, async () => {
    await checkMailServer(mail.server).catch(withAddress(`${host}:${port}`))
    return [ok('mail', `${host}:${port} accepts the connection`)]
  })
}

async function checkSignIn(provider: Settings['provider']): Promise<Finding[]> {
  if (!provider) return [skipped('provider', 'none is set: people sign in with passwords')]
  const fix = 'correct WAYBILL_OIDC_ISSUER, or make it reachable from this machine'
  return catchFindings('provider', fix, async () => {
    await checkProvider(provider).catch(withAddress(provider.issuer))
    return [ok('provider', `${provider.issuer} responds; the client credentials are verified at the first sign-in`)]
  })
}

// Prefixes messages of libraries with the address, which the reader knows from the settings.
function withAddress(address: string): (error: Error) => never {
  return ({ message }) => {
    throw new Failure(`${address}: ${message}`)
  }
}
