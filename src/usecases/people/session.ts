import { randomBytes } from 'node:crypto'
import { Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Database, TransactionSql } from '../../database/database.js'
import { deviceOf } from '../../domain/people/device.js'
import { isProviderOnly } from '../../store/accounts.js'
import { recordAudit } from '../../store/audit.js'
import { createSession, type SignedInWith } from '../../store/sessions.js'
import type { NewSession, Visitor } from '../portal-context.js'
import { newToken } from './passwords.js'

const unknownClient: Visitor = { address: '', userAgent: undefined }

export async function startSession(
  db: Database | TransactionSql,
  account: AccountId,
  person_id: string,
  signed_in_with: SignedInWith,
  { address, userAgent }: Visitor = unknownClient,
): Promise<NewSession> {
  const token = newToken()
  const session_id = `ses_${randomBytes(8).toString('hex')}`
  const session = { token, session_id, signed_in_with, address, ...deviceOf(userAgent) }
  const start = async (sql: TransactionSql) => {
    const started = await createSession(sql, account, person_id, session)
    const action = started ? 'signed_in' : 'sign_in_failed'
    const details = { with: signed_in_with, ...(!started && { reason: 'account_suspended' }) }
    const actor = { actor: `person:${person_id}`, ...(address !== '' && { address }) }
    await recordAudit(sql, account, actor, { kind: 'sign_in', action, details })
    return started
  }
  const isStarted = await ('send' in db ? start(db) : db.begin(start))
  if (!isStarted) throw new Refusal((await isProviderOnly(db, account)) ? 'provider_required' : 'account_suspended')
  return { token, session_id }
}
