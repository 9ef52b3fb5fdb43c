import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { forwarderAccount } from '../../../src/database/account-id.js'
import type { Database } from '../../../src/database/database.js'
import { commit } from '../../../src/ledger/commit.js'
import { saveForwarderAccount } from '../../../src/store/accounts.js'
import { createPerson } from '../../../src/store/people.js'
import { createAccount } from '../../../src/usecases/accounts/create-account.js'
import { issueKey } from '../../../src/usecases/accounts/create-key.js'
import { createOperatorWithKey } from '../../../src/usecases/accounts/create-operator.js'
import { newPersonId } from '../../../src/usecases/people/person-record.js'
import { startSession } from '../../../src/usecases/people/session.js'
import { csrfTokenOf } from '../../../src/usecases/people/session-response.js'
import { type RawRequest, sendRaw } from '../raw-http.js'

/** A service, and everything that an attacker may have: a key, a session, and an operator's key. */
export type HostileTarget = {
  baseUrl: string
  slug: string
  key: string
  operatorKey: string
  session: string
  /** Of an operator, at the office. */
  officeSession: string
}

/**
 * A request that tries to hold up others or to take much memory, with the status it must get. Other clients must not notice
 * it: the goal is 100 ms beyond what they wait without it.
 */
export type HostileRequest = { name: string; status: number; send(target: HostileTarget): Promise<number> }

export type Access = 'anyone' | 'customer' | 'operator' | 'person' | 'operating person'

export async function newHostileTarget(db: Database, baseUrl: string): Promise<HostileTarget> {
  const slug = `hostile-${randomBytes(6).toString('hex')}`
  const account = (await createAccount(db, slug, slug)) as number
  const { key } = await issueKey(db, account, { scopes: ['read', 'write'], name: 'hostile' })
  const { key: operatorKey } = await createOperatorWithKey(db, { name: slug, role: 'admin' })
  const person_id = newPersonId()
  const person = { person_id, email: `${slug}@example.com`, name: slug, role: 'admin' as const }
  await commit(db, account, 'test', (tx) => createPerson(tx, account, person))
  const { token } = await startSession(db, account, person_id, 'password')
  await saveForwarderAccount(db, 'Forwarder')
  await commit(db, forwarderAccount, 'test', (tx) => createPerson(tx, forwarderAccount, person))
  const office = await startSession(db, forwarderAccount, person_id, 'password')
  return { baseUrl, slug, key, operatorKey, session: token, officeSession: office.token }
}

function credentialsOf(
  { key, operatorKey, session, officeSession }: HostileTarget,
  access: Access,
): [string, string][] {
  if (access === 'customer') return [['Authorization', `Bearer ${key}`]]
  if (access === 'operator') return [['Authorization', `Bearer ${operatorKey}`]]
  if (access === 'anyone') return []
  if (access === 'operating person') {
    return [
      ['Cookie', `waybill_office=${officeSession}`],
      ['X-CSRF-Token', csrfTokenOf(officeSession)],
    ]
  }
  return [
    ['Cookie', `waybill_session=${session}`],
    ['X-CSRF-Token', csrfTokenOf(session)],
  ]
}

/** Sends a request with credentials, and returns the status of its response. */
export async function statusOf(target: HostileTarget, access: Access, raw: RawRequest): Promise<number> {
  const headers = [...credentialsOf(target, access), ...(raw.headers ?? [])]
  return (await sendRaw(target.baseUrl, { ...raw, headers })).status
}

type LongRequest = { method?: string; path: string; body: string | Buffer; type?: string }

// Kept alive, so that the service reads the rest of a body that it has refused, instead of closing the connection.
const agent = new Agent({ keepAlive: true })

/** Sends a long body, JSON unless the type says otherwise. */
export async function statusOfBody(
  target: HostileTarget,
  access: Access,
  { method = 'POST', path, body, type = 'application/json' }: LongRequest,
): Promise<number> {
  const headers = { 'content-type': type, 'content-length': Buffer.byteLength(body) }
  const all = { ...headers, ...Object.fromEntries(credentialsOf(target, access)) }
  return new Promise((resolve, reject) => {
    const sent = request(target.baseUrl + path, { method, headers: all, agent }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0))
    })
    sent.once('error', reject).end(body)
  })
}
