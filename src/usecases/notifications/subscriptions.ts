import { randomBytes } from 'node:crypto'
import type { Subscription } from '../../contract/portal/notifications.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import { findPurchaseOrder } from '../../store/purchase-orders.js'
import { listViewRows } from '../../store/saved-views.js'
import { findShipment } from '../../store/shipments.js'
import {
  deleteSubscription,
  findNotificationSettings,
  insertSubscription,
  listSubscriptionRows,
  type SubscriptionRow,
  saveNotificationSettingsRow,
  updateSubscriptionRow,
} from '../../store/subscriptions.js'
import type { PersonContext, PortalHandler } from '../portal-context.js'

/** What the signed-in person is notified of. */

const mostSubscriptions = 100

export const listSubscriptions: PortalHandler<'listSubscriptions'> = async ({ db, account, person }) =>
  (await listSubscriptionRows(db, account, person.person_id)).map(subscriptionOf)

export const createSubscription: PortalHandler<'createSubscription'> = async (context, { body }) => {
  const { db, account, person } = context
  const { scope, id, exceptions, changes, delivery } = body
  refuseEmpty(body)
  await refuseUnknown(context, scope, id)
  const subscription_id = `sub_${randomBytes(8).toString('hex')}`
  const row = { subscription_id, scope, scope_id: id ?? null, exceptions, changes, delivery }
  if (!(await insertSubscription(db, account, person.person_id, row, mostSubscriptions)))
    throw new Refusal('too_many_subscriptions')
  return getSubscription(context, subscription_id)
}

export const updateSubscription: PortalHandler<'updateSubscription'> = async (context, { params, body }) => {
  const { db, account, person } = context
  const { subscription_id } = params
  const { id: _id, name: _name, ...known } = await getSubscription(context, subscription_id)
  const changed = { ...known, ...body, scope_id: null }
  refuseEmpty(changed)
  if (!(await updateSubscriptionRow(db, account, person.person_id, changed)))
    throw new Refusal('subscription_not_found')
  return getSubscription(context, subscription_id)
}

export const removeSubscription: PortalHandler<'removeSubscription'> = async ({ db, account, person }, { params }) => {
  if (!(await deleteSubscription(db, account, person.person_id, params.subscription_id)))
    throw new Refusal('subscription_not_found')
  return { accepted: true }
}

export const getNotificationSettings: PortalHandler<'getNotificationSettings'> = async ({ db, account, person }) =>
  findNotificationSettings(db, account, person.person_id)

export const saveNotificationSettings: PortalHandler<'saveNotificationSettings'> = async (
  { db, account, person },
  { body },
) => {
  await saveNotificationSettingsRow(db, account, person.person_id, body)
  return body
}

async function getSubscription({ db, account, person }: PersonContext, subscription_id: string): Promise<Subscription> {
  const rows = await listSubscriptionRows(db, account, person.person_id)
  const row = rows.find((each) => each.subscription_id === subscription_id)
  if (!row) throw new Refusal('subscription_not_found')
  return subscriptionOf(row)
}

function subscriptionOf({ scope_id, name, ...row }: SubscriptionRow & { name: string | null }): Subscription {
  return { ...row, ...(scope_id !== null && { id: scope_id }), ...(name !== null && { name }) }
}

function refuseEmpty({ exceptions, changes }: Pick<Subscription, 'exceptions' | 'changes'>): void {
  if (exceptions.length === 0 && changes.length === 0)
    throw invalid([{ pointer: '/exceptions', detail: 'must name a kind, unless changes do' }])
}

async function refuseUnknown(
  { db, account, person }: PersonContext,
  scope: Subscription['scope'],
  id: string | undefined,
): Promise<void> {
  if (scope === 'all') {
    if (id !== undefined) throw invalid([{ pointer: '/id', detail: 'must not be given with the scope all' }])
    return
  }
  if (id === undefined) throw invalid([{ pointer: '/id', detail: `must be given with the scope ${scope}` }])
  if (scope === 'shipment' && !(await findShipment(db, account, id))) throw new Refusal('shipment_not_found')
  if (scope === 'purchase_order' && !(await findPurchaseOrder(db, account, id)))
    throw new Refusal('purchase_order_not_found')
  if (scope !== 'view') return
  const view = (await listViewRows(db, account, person.person_id)).find(({ view_id }) => view_id === id)
  if (!view) throw new Refusal('view_not_found')
  if (view.page !== 'shipments' && view.page !== 'purchase_orders')
    throw invalid([{ pointer: '/id', detail: 'must be a view of shipments or orders' }])
}
