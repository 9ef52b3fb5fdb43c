import { type Client, createClient, WaybillError } from '../../client/client.js'
import { createPortalClient, type PortalClient, sendFileTo } from '../../client/portal-client.js'
import type { Session } from '../../contract/portal/people.js'
import type { Problem } from '../../contract/problem.js'
import { noteConnection } from './connection.js'

/** The interfaces of the service, as the person who is signed in: the cookie goes by itself, the token with what changes something. */

/** Nothing came back: the network, or the service, is away. */
export class ConnectionLost extends Error {
  constructor(cause: unknown) {
    super('Waybill cannot be reached', { cause })
    this.name = 'ConnectionLost'
  }
}

let csrfToken: string | undefined
let whenEnded: () => void = () => {}

/** Whoever is signed in from now on; nobody, where undefined. */
export function keepSession(session: Session | undefined): void {
  csrfToken = session?.csrf_token
}

export function isSignedIn(): boolean {
  return csrfToken !== undefined
}

/** What is done when a request finds that the session has ended. */
export function onSessionEnd(listener: () => void): void {
  whenEnded = listener
}

const options = { baseUrl: '', fetch: fetchAsPerson }

export const api: { v1: Client; portal: PortalClient } = {
  v1: createClient(options),
  portal: createPortalClient(options),
}

export function uploadOrderSheet<Name extends 'checkOrderSheet' | 'saveOrderSheet'>(name: Name, file: File) {
  return sendFileTo(options, name, file)
}

async function fetchAsPerson(address: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  const isWrite = init.method !== undefined && init.method !== 'GET'
  const sentAs = csrfToken
  if (isWrite && sentAs !== undefined) headers.set('x-csrf-token', sentAs)
  const response = await reach(address, { ...init, headers })
  // What was asked in an earlier session says nothing of the one that somebody has begun since.
  const isOfNow = () => sentAs !== undefined && sentAs === csrfToken
  if (response.status === 401 && isOfNow() && (await isSessionGone(response.clone())) && isOfNow()) {
    keepSession(undefined)
    whenEnded()
  }
  // A proxy that answers for the service does so in words of its own.
  if (!response.ok && !isProblem(response)) throw new ConnectionLost(response.status)
  return response
}

async function reach(address: RequestInfo | URL, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(address, init)
    noteConnection(true)
    return response
  } catch (error) {
    if (init.signal?.aborted) throw error
    noteConnection(false)
    throw new ConnectionLost(error)
  }
}

function isProblem({ headers }: Response): boolean {
  return headers.get('content-type')?.includes('application/problem+json') === true
}

async function isSessionGone(response: Response): Promise<boolean> {
  if (!isProblem(response)) return false
  const { code } = (await response.json()) as Problem
  return code === 'not_signed_in' || code === 'missing_key'
}

/** The code of a refusal; undefined where it is none. */
export function refusalCodeOf(error: unknown): Problem['code'] | undefined {
  return error instanceof WaybillError ? error.problem.code : undefined
}

/** What is wrong with a field, by its pointer: as the server says it. */
export function faultsByPointer(error: unknown): Record<string, string> {
  const faults = error instanceof WaybillError ? (error.problem.errors ?? []) : []
  return Object.fromEntries(faults.map(({ pointer, detail }) => [pointer, detail]))
}
