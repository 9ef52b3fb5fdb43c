import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../src/sandbox/random.js'
import { type Exchange, isAccepted } from './contract-check.js'
import { nameOf } from './json-text.js'
import { addKnown, type Known, type KnownKind, personAt, restoreAccess, type Target, type World } from './world.js'

/** Records the resources of an exchange, so that later requests can use them. */

type Json = Record<string, unknown>
type Learnable = { params: Known; sent: Json; json: Json }
type Learned = [kind: KnownKind, known: Known][]

const lessons: Record<string, (detail: Learnable) => Learned> = {
  'public.createPurchaseOrder': ({ sent, json }) => linesOf(sent).map((line) => orderOf(json.reference, line)),
  'operator.createShipment': ({ json }) => [
    ['shipment', { svc_shipment_id: nameOf(json.id) }],
    historyOf('shipment', json.id),
  ],
  'operator.createLocation': ({ json }) => [['location', { id: nameOf(json.id) }], historyOf('location', json.id)],
  'operator.draftInvoice': ({ json }) => [['invoice', { reference: nameOf(json.id) }], historyOf('invoice', json.id)],
  'operator.draftCreditNote': ({ json }) => [['invoice', { reference: nameOf(json.id) }]],
  'operator.uploadDocument': ({ json }) => [['document', { id: nameOf(json.id) }], historyOf('document', json.id)],
  'public.proposeDocument': ({ json }) => [
    ['proposal', { id: nameOf(json.id) }],
    historyOf('document_proposal', json.id),
  ],
  'operator.planTracking': ({ params }) => [['tracked', { svc_shipment_id: nameOf(params.svc_shipment_id) }]],
  'operator.assign': ({ params }) => [['assignment', withoutAccount(params)]],
  'operator.recordPayment': ({ params, json }) =>
    (json.payments as Json[]).map(({ payment_id }) => [
      'payment',
      { reference: nameOf(params.reference), payment_id: nameOf(payment_id) },
    ]),
  'operator.addEvent': ({ params, json }) =>
    (json.steps as { events: Json[] }[]).flatMap(({ events }) =>
      events.map(({ event_id }): Learned[number] => [
        'event',
        { svc_shipment_id: nameOf(params.svc_shipment_id), event_id: nameOf(event_id) },
      ]),
    ),
  'operator.createKey': ({ json }) => [['key', { key_id: nameOf(json.key_id) }], historyOf('key', json.key_id)],
  'portal.createOwnKey': ({ json }) => [['key', { key_id: nameOf(json.key_id) }]],
  'portal.invitePerson': ({ json }) => [
    ['person', { person_id: nameOf(json.person_id) }],
    historyOf('person', json.person_id),
  ],
  'portal.createView': ({ json }) => [['view', { view_id: nameOf(json.view_id) }]],
  'portal.createSubscription': ({ json }) => [['subscription', { subscription_id: nameOf(json.subscription_id) }]],
  'portal.saveOrderSheet': ({ json }) => (json.created as string[]).map((reference) => orderOf(reference, '1')),
}

function orderOf(reference: unknown, line: string): Learned[number] {
  return ['order', { reference: nameOf(reference), line }]
}

function historyOf(kind: string, id: unknown): Learned[number] {
  return ['history', { kind, id: nameOf(id) }]
}

function linesOf({ product_lines }: Json): string[] {
  return ((product_lines ?? []) as Json[]).slice(0, 3).map(({ reference }, index) => nameOf(reference ?? index + 1))
}

function withoutAccount({ account: _account, ...rest }: Known): Known {
  return rest
}

// These operations may lock out the caller.
const lockingOut = new Set([
  'portal.signOut',
  'portal.useLink',
  'portal.updateRole',
  'portal.updateAccountSecurity',
  'portal.removePerson',
  'portal.revokeOwnKey',
  'portal.rotateOwnKey',
  'office.signOut',
  'office.useLink',
  'office.updateAccountSecurity',
  'operator.revokeKey',
  'operator.rotateKey',
  'operator.updateAccount',
  'operator.updateAccountPerson',
  'operator.removeAccountPerson',
  'operator.updateStaff',
  'operator.removeStaff',
  'operator.endStaffSessions',
  'operator.import',
])

export async function learn(target: Target, world: World, exchange: Exchange): Promise<void> {
  const { addressed, response, request, sent } = exchange
  await awaitMail(target, world, exchange)
  for (const { link } of target.mails.splice(0)) addKnown(world, 'link', { token: link.split('#').at(-1) as string })
  if (!addressed || !isAccepted(exchange)) return
  const detail = { params: request.params, sent: (sent ?? {}) as Json, json: response.json as Json }
  if (addressed === request.operation) {
    for (const [kind, known] of lessons[addressed.name]?.(detail) ?? []) addKnown(world, kind, known)
    notePassword(world, addressed.name, detail)
  }
}

/** Restores access after an accepted request; returns whether it may have been lost. */
export async function undoLockout(target: Target, world: World, exchange: Exchange, random: Random): Promise<boolean> {
  const { addressed } = exchange
  if (!addressed || !isAccepted(exchange) || !lockingOut.has(addressed.name)) return false
  await restoreAccess(target, world, random)
  return true
}

// The mail is sent after the response: waiting for it makes runs reproducible.
async function awaitMail({ mails }: Target, world: World, exchange: Exchange): Promise<void> {
  const { addressed, sent } = exchange
  const isAsked = addressed?.name.endsWith('.requestPasswordReset') && isAccepted(exchange)
  const person = personAt(world, addressed?.name ?? '')
  if (!isAsked || (sent as Json | undefined)?.email !== person.email) return
  for (let tries = 0; tries < 500 && !mails.some(({ to }) => to === person.email); tries += 1) await sleep(10)
}

function notePassword(world: World, name: string, { sent, json }: Learnable): void {
  const person = personAt(world, name)
  const isOwn = (json.person as Json | undefined)?.email === person.email
  if (name.endsWith('.changePassword') || (name.endsWith('.useLink') && isOwn)) person.password = nameOf(sent.password)
}

const mostNoted = 20

/** Collects values of a response for later requests: ETags, times and cursors. */
export function noteAnswer(world: World, { response: { headers, text: body }, request, addressed }: Exchange): void {
  note(world.etags, headers.etag)
  note(world.moments, /"recorded_at":"([^"]+)"/.exec(body.slice(0, 2000))?.[1])
  const after = /"next":"([^"]+)"/.exec(body.slice(-6000))?.[1]
  // The request log is written once a second, and the audit log has times: their cursors differ between runs.
  const isSteady = addressed === request.operation && !logs.has(addressed.name)
  if (after === undefined || !isSteady) return
  const query = request.query.filter(
    (pair): pair is [string, string] => pair[0] !== 'after' && pair.every((text) => typeof text === 'string'),
  )
  note(world.cursors, { name: addressed.name, query, after })
}

function note<Item>(list: Item[], value: Item | undefined): void {
  if (value === undefined || list.includes(value)) return
  list.push(value)
  if (list.length > mostNoted) list.shift()
}

const logs = new Set([
  'portal.listRequests',
  'portal.listAudit',
  'operator.listAccountAudit',
  'operator.listForwarderAudit',
])
