import { randomBytes } from 'node:crypto'
import { forwarderAccount } from '../../../src/database/account-id.js'
import type { Database } from '../../../src/database/database.js'
import { commit } from '../../../src/ledger/commit.js'
import { saveForwarderAccount } from '../../../src/store/accounts.js'
import { createPerson } from '../../../src/store/people.js'
import { saveReplyAddress } from '../../../src/store/reply-addresses.js'
import { createAccount } from '../../../src/usecases/accounts/create-account.js'
import { issueKey } from '../../../src/usecases/accounts/create-key.js'
import { createOperatorWithKey } from '../../../src/usecases/accounts/create-operator.js'
import { addressWith, hashOfToken, replyToken } from '../../../src/usecases/conversations/reply-address.js'
import { newPersonId } from '../../../src/usecases/people/person-record.js'
import { startSession } from '../../../src/usecases/people/session.js'
import { fillAccount, heavyOrder } from './heavy-account.js'
import type { HostileTarget } from './target.js'

/** `WAYBILL_REPLY_ADDRESS` of the service. */
export const hostileReplyAddress = 'reply@forwarder.example'

export async function newHostileTarget(db: Database, baseUrl: string): Promise<HostileTarget> {
  const account = await newHostileAccount(db)
  const { slug, person } = account
  const { key: operatorKey } = await createOperatorWithKey(db, { name: slug, role: 'admin' })
  await saveForwarderAccount(db, 'Forwarder')
  await commit(db, forwarderAccount, 'test', (tx) => createPerson(tx, forwarderAccount, person))
  const { token: officeSession } = await startSession(db, forwarderAccount, person.person_id, 'password')
  const heavy = await newHostileAccount(db)
  const reply = await newReplyAddress(db, heavy)
  const target = { ...account, baseUrl, operatorKey, officeSession, heavy, reply }
  await fillAccount(target, heavy)
  return target
}

/** For an order of the account. */
async function newReplyAddress(db: Database, { account, person }: Awaited<ReturnType<typeof newHostileAccount>>) {
  const subject = { kind: 'purchase_order', id: heavyOrder } as const
  const address = { account, subject, person_account: account, person_id: person.person_id }
  const token = replyToken('hostile', address)
  await saveReplyAddress(db, hashOfToken(token), address)
  return { to: addressWith(hostileReplyAddress, token), from: person.email }
}

async function newHostileAccount(db: Database) {
  const slug = `hostile-${randomBytes(6).toString('hex')}`
  const account = (await createAccount(db, slug, slug)) as number
  const { key } = await issueKey(db, account, { scopes: ['read', 'write'], name: 'hostile' })
  const person_id = newPersonId()
  const person = { person_id, email: `${slug}@example.com`, name: slug, role: 'admin' as const }
  await commit(db, account, 'test', (tx) => createPerson(tx, account, person))
  const { token } = await startSession(db, account, person_id, 'password')
  return { slug, account, key, session: token, person }
}
