import { checkProvider } from '../../http/portal/company-provider.js'
import { Failure } from '../failure.js'
import { checkMailServer } from '../mail.js'
import type { Settings } from '../settings.js'
import { type Finding, looking, ok, skipped } from './finding.js'

/** What the service asks of others: to send mails, and to say who somebody is. */
export async function checkOutside({ mail, provider }: Settings): Promise<Finding[]> {
  const found = await Promise.all([checkMail(mail), checkSignIn(provider)])
  return found.flat()
}

async function checkMail(mail: Settings['mail']): Promise<Finding[]> {
  if (!mail) return [skipped('mail', 'no server is set: links for people are printed')]
  const { host, port } = mail.server
  const mend = 'correct WAYBILL_SMTP_URL, or see that the server lets this machine in'
  return looking('mail', mend, async () => {
    await checkMailServer(mail.server).catch(explain(`${host}:${port}`))
    return [ok('mail', `${host}:${port} takes mails from us`)]
  })
}

async function checkSignIn(provider: Settings['provider']): Promise<Finding[]> {
  if (!provider) return [skipped('provider', 'none is set: people sign in with passwords')]
  const mend = 'correct WAYBILL_OIDC_ISSUER, or see that this machine can reach it'
  return looking('provider', mend, async () => {
    await checkProvider(provider).catch(explain(provider.issuer))
    return [ok('provider', `${provider.issuer} answers; whether it knows the client is seen when somebody signs in`)]
  })
}

// Whoever reads it knows the settings, not the libraries that were asked.
function explain(where: string): (error: Error) => never {
  return ({ message }) => {
    throw new Failure(`${where}: ${message}`)
  }
}
