import { randomBytes } from 'node:crypto'
import { Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Database, TransactionSql } from '../../database/database.js'
import { deviceOf } from '../../domain/people/device.js'
import { createSession, type SignedInWith } from '../../store/sessions.js'
import type { Client, NewSession } from '../portal-context.js'
import { newToken } from './passwords.js'

const unknownClient: Client = { address: '', userAgent: undefined }

export async function startSession(
  db: Database | TransactionSql,
  account: AccountId,
  person_id: string,
  signed_in_with: SignedInWith,
  { address, userAgent }: Client = unknownClient,
): Promise<NewSession> {
  const token = newToken()
  const session_id = `ses_${randomBytes(8).toString('hex')}`
  const device = deviceOf(userAgent)
  const isStarted = await createSession(db, account, person_id, {
    token,
    session_id,
    signed_in_with,
    address,
    ...device,
  })
  if (!isStarted) throw new Refusal('account_suspended')
  return { token, session_id }
}
