import { Agent, request } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { csrfTokenOf } from '../../../src/usecases/people/session-response.js'
import { type RawRequest, sendRaw } from '../raw-http.js'

/** What an attacker may have of an account. */
export type HostileAccount = {
  slug: string
  key: string
  session: string
}

/** A service, and everything that an attacker may have: an account with a key and a session, and an operator's key. */
export type HostileTarget = HostileAccount & {
  baseUrl: string
  operatorKey: string
  /** Of an operator, at the office. */
  officeSession: string
  /** An account with much data (`heavy-account.ts`). */
  heavy: HostileAccount
  /** Where a person of that account answers by mail, and the address of the person. */
  reply: { to: string; from: string }
}

/**
 * A request that tries to hold up others or to take much memory, with the status it must get. Other clients must not notice
 * it: the goal is 100 ms beyond what they wait without it.
 */
export type HostileRequest = { name: string; status: number; send(target: HostileTarget): Promise<number> }

export type Access = 'anyone' | 'customer' | 'operator' | 'person' | 'operating person'

export function credentialsOf(
  { operatorKey, officeSession }: HostileTarget,
  access: Access,
  { key, session }: HostileAccount,
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
export async function statusOf(
  target: HostileTarget,
  access: Access,
  raw: RawRequest,
  account: HostileAccount = target,
): Promise<number> {
  const headers = [...credentialsOf(target, access, account), ...(raw.headers ?? [])]
  return (await sendRaw(target.baseUrl, { ...raw, headers })).status
}

type LongRequest = {
  method?: string
  path: string
  body: string | Buffer
  type?: string
  headers?: Record<string, string>
}

// Kept alive, so that the service reads the rest of a body that it has refused, instead of closing the connection.
const agent = new Agent({ keepAlive: true })

/** Sends a long body, JSON unless the type says otherwise. */
export async function statusOfBody(
  target: HostileTarget,
  access: Access,
  { method = 'POST', path, body, type = 'application/json', headers: others = {} }: LongRequest,
  account: HostileAccount = target,
): Promise<number> {
  const headers = { ...others, 'content-type': type, 'content-length': Buffer.byteLength(body) }
  const all = { ...headers, ...Object.fromEntries(credentialsOf(target, access, account)) }
  // Building a body may take longer than the service keeps a connection open: those that it has closed are not used again.
  await nextTurn()
  return new Promise((resolve, reject) => {
    const sent = request(target.baseUrl + path, { method, headers: all, agent }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0))
    })
    sent.once('error', reject).end(body)
  })
}
