import { recordAudit } from '../../store/audit.js'
import { renewAuthentication } from '../../store/sessions.js'
import type { PersonContext, PortalHandler } from '../portal-context.js'
import { verifyOwnPassword } from './own-password.js'

/** Proves again who the person is, for operations that require it within the last 10 minutes. */
export const reauthenticate: PortalHandler<'reauthenticate'> = async (context, { body: { password } }) => {
  await verifyOwnPassword(context, password)
  await recordReauthentication(context, 'password')
  return { accepted: true }
}

type Proof = 'password' | 'code' | 'passkey' | 'recovery_code' | 'provider'

export async function recordReauthentication(
  { db, account, person, token, actor }: Pick<PersonContext, 'db' | 'account' | 'person' | 'token' | 'actor'>,
  proof: Proof,
): Promise<void> {
  await db.begin(async (sql) => {
    await renewAuthentication(sql, account, person.person_id, token)
    const details = { with: proof }
    await recordAudit(sql, account, actor, { kind: 'sign_in', action: 'reauthenticated', details })
  })
}
