import { type Client, createClient } from '../../../src/client/client.js'
import { createPortalClient, type PortalClient, sendFileTo } from '../../../src/client/portal-client.js'
import { type CallResult, WaybillError } from '../../../src/client/response.js'
import type { Session } from '../../../src/contract/portal/people.js'
import type { Problem } from '../../../src/contract/problem.js'
import { timedFetch } from '../../ui/clock.js'
import { site } from '../site.js'
import { noteConnection } from './connection.js'

/** API clients for the signed-in person. The browser sends the cookie; writes also carry the CSRF token. */

let csrfToken: string | undefined
let whenEnded: () => void = () => {}
let askAgain: () => Promise<boolean> = async () => false

/** Sets the current session; undefined after signing out. */
export function keepSession(session: Session | undefined): void {
  csrfToken = session?.csrf_token
}

export function isSignedIn(): boolean {
  return csrfToken !== undefined
}

/** Called when a request is refused because the session has ended. */
export function onSessionEnd(listener: () => void): void {
  whenEnded = listener
}

/**
 * Sets how the person authenticates again when an operation requires it. It resolves to whether they did: then the request is
 * repeated.
 */
export function onReauthentication(ask: () => Promise<boolean>): void {
  askAgain = ask
}

/** Options of clients that send the session of the signed-in person. */
export const options = { baseUrl: '', fetch: fetchAsPerson }

export const api: { v1: DataOf<Client>; portal: DataOf<PortalClient> } = {
  v1: dataOf(createClient(options)),
  portal: dataOf(createPortalClient(options, site)),
}

/** The same calls, but returning only the data. */
export type DataOf<Calls> = {
  [Name in keyof Calls]: Calls[Name] extends (...input: infer Input) => Promise<CallResult<infer Data>>
    ? (...input: Input) => Promise<Data>
    : never
}

export function dataOf<Calls extends object>(client: Calls): DataOf<Calls> {
  const calls = Object.entries(client) as [string, (input?: object) => Promise<CallResult<unknown>>][]
  const entries = calls.map(([name, call]) => [name, async (input?: object) => (await call(input)).data])
  return Object.fromEntries(entries) as DataOf<Calls>
}

/** A spreadsheet, and how its columns and dates are read where it does not show it. */
export type OrderSheet = { file: File; columns: Record<string, string>; dates: 'day-month' | 'month-day' | undefined }

export async function uploadOrderSheet<Name extends 'checkOrderSheet' | 'saveOrderSheet'>(
  name: Name,
  { file, columns, dates }: OrderSheet,
) {
  const mapping = Object.keys(columns).length > 0 ? JSON.stringify(columns) : undefined
  return (await sendFileTo(options, name, file, { columns: mapping, dates })).data
}

async function fetchAsPerson(address: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  const isWrite = init.method !== undefined && init.method !== 'GET'
  const sentAs = csrfToken
  if (isWrite && sentAs !== undefined) headers.set('x-csrf-token', sentAs)
  const send = () => reach(address, { ...init, headers })
  const first = await send()
  const isRepeated = isWrite && (await requiresReauthentication(first)) && (await askAgain())
  const response = isRepeated ? await send() : first
  // A refusal of an earlier session does not end the current one.
  const isOfNow = () => sentAs !== undefined && sentAs === csrfToken
  if (response.status === 401 && isOfNow() && (await isSessionGone(response.clone())) && isOfNow()) {
    keepSession(undefined)
    whenEnded()
  }
  return response
}

async function reach(address: RequestInfo | URL, init: RequestInit): Promise<Response> {
  try {
    const response = await timedFetch(address, init)
    noteConnection(true)
    return response
  } catch (error) {
    if (init.signal?.aborted) throw error
    noteConnection(false)
    throw error
  }
}

async function requiresReauthentication(response: Response): Promise<boolean> {
  return response.status === 403 && (await codeIn(response.clone())) === 'reauthentication_required'
}

async function codeIn(response: Response): Promise<Problem['code'] | undefined> {
  // The response of a proxy has no problem body.
  return ((await response.json().catch(() => ({}))) as Partial<Problem>).code
}

async function isSessionGone(response: Response): Promise<boolean> {
  const code = await codeIn(response)
  return code === 'not_signed_in' || code === 'missing_key'
}

/** No response, or one that is not from the service: the network or the service is unavailable. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof WaybillError && error.code === undefined
}

/** Undefined for anything but a refusal by the server. */
export function refusalCodeOf(error: unknown): Problem['code'] | undefined {
  return error instanceof WaybillError ? error.code : undefined
}

/** Errors of fields by JSON pointer, in the server's wording. */
export function faultsByPointer(error: unknown): Record<string, string> {
  const faults = error instanceof WaybillError ? error.errors : []
  return Object.fromEntries(faults.map(({ pointer, detail }) => [pointer, detail]))
}
