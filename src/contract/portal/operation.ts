import { type Operation, refusalsAnywhere, refusalsWithBody } from '../operation.js'
import type { RefusalCode } from '../refusals.js'
import type { PortalRight } from './rights.js'

export const portalTags = [
  ['Session', 'Who is signed in, and how to sign in and out.'],
  ['Person', 'What somebody says of themselves.'],
  ['People', 'Who belongs to the account.'],
  ['Keys', "The keys of the account's systems, and what was asked with them."],
  ['Search', 'Everything by its words.'],
  ['Shipments', 'Shipments as people look for them.'],
  ['Purchase orders', 'Orders as people look for them, and from a spreadsheet.'],
  ['Invoices', 'What is to be paid.'],
  ['Documents', 'Papers as people look for them.'],
  ['Locations', 'Where the locations lie.'],
  ['Views', 'Searches that somebody keeps.'],
  ['Changes', 'What changes, as it happens.'],
] as const

export type PortalOperation = Operation & {
  tag: (typeof portalTags)[number][0]
  /** Who may call it: somebody who is signed in and has the right, or anyone. */
  access: PortalRight | 'anyone'
  /** Who calls it is signed in afterwards, or no longer. */
  startsSession?: true
  endsSession?: true
  /** Anyone may call it, and who is signed in is known to it. */
  tellsSession?: true
  /** What it answers follows from what the account has, and from the day: it holds until something changes. */
  isOfAccount?: true
  /** How its body is sent, where that is not JSON. */
  accepts?: 'form'
  /** What it answers with, where that is not JSON. */
  answers?: 'file' | 'events'
}

export function portalRefusalsOf(operation: PortalOperation): RefusalCode[] {
  const { access, method, startsSession, tellsSession } = operation
  const isOfAccount = access !== 'anyone' || startsSession || tellsSession
  const codes: RefusalCode[] = [
    ...operation.refusals,
    ...(access === 'anyone' ? [] : (['not_signed_in'] as const)),
    ...((access === 'anyone' && !tellsSession) || operation.endsSession ? [] : (['rate_limited'] as const)),
    ...(isOfAccount ? (['account_suspended'] as const) : []),
    ...(access === 'write' || access === 'administer' ? (['insufficient_role'] as const) : []),
    ...(method === 'GET' ? [] : (['foreign_origin'] as const)),
    ...refusalsAnywhere.filter((code) => code !== 'missing_key' && code !== 'invalid_key' && code !== 'rate_limited'),
    ...(method === 'GET' ? [] : refusalsWithBody.filter((code) => code !== 'idempotency_key_reused')),
  ]
  return [...new Set(codes)]
}
