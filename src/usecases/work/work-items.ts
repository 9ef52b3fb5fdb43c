import { businessTime } from '../../clock/clock.js'
import { type NamedWorkItem, type WorkActing, type WorkItem, workKinds } from '../../contract/operator/work.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import { type AccountId, forwarderAccount } from '../../database/account-id.js'
import { refuseIncomplete } from '../../domain/exceptions/actions.js'
import { commitWithin } from '../../ledger/commit.js'
import { recordAudit } from '../../store/audit.js'
import { listStaffNames } from '../../store/people.js'
import { decodeCursor, encodeCursor } from '../../store/search/cursor.js'
import {
  type Handling,
  handleWorkItems,
  listWorkItemRows,
  type WorkItemPosition,
  type WorkItemRow,
} from '../../store/work-items.js'
import { accountScopeOf } from '../accounts/account-scope.js'
import { findNamedAccounts } from '../accounts/named-accounts.js'
import type { OperatorHandler } from '../operator-context.js'

/** Who looks after what waits for the forwarder, and until when it is put aside. */

export const listWorkItems: OperatorHandler<'listWorkItems'> = async ({ db, operator }, { query }) => {
  const { account, after, take = 100, ...filter } = query
  const rows = await listWorkItemRows(db, await accountScopeOf(db, operator, account), {
    ...filter,
    isOfAccount: account !== undefined,
    after: positionIn(after),
    take: take + 1,
  })
  const page = rows.slice(0, take)
  const last = rows.length > take ? page.at(-1) : undefined
  return {
    items: page.map(itemOf),
    people: await listStaffNames(db),
    ...(last && { next: encodeCursor({ key: last.kind, id: last.item, before: last.account_id }) }),
  }
}

function positionIn(after: string | undefined): WorkItemPosition | undefined {
  const cursor = decodeCursor(after, 'text')
  if (!cursor) return undefined
  const kind = workKinds.find((each) => each === cursor.key)
  if (kind === undefined || cursor.before > 2_147_483_647)
    throw invalid([{ pointer: '/after', detail: 'must be `next` of the page before' }])
  return { account_id: cursor.before, kind, item: cursor.id }
}

function itemOf({ slug, kind, item, owner, snoozed_until, changed_by, changed_at }: WorkItemRow): WorkItem {
  return {
    ...(slug !== null && { account: slug }),
    kind,
    item,
    ...(owner !== null && { owner }),
    ...(snoozed_until && { snoozed_until: snoozed_until.toISOString() }),
    by: changed_by,
    at: changed_at.toISOString(),
  }
}

/** Each account in a write of its own within one transaction. It does not change what the account sees, so its revision stays. */
export const actOnWorkItems: OperatorHandler<'actOnWorkItems'> = async (
  { sql, actor, author, operator },
  { body: { items, ...acting } },
) => {
  refuseIncomplete(acting, businessTime())
  const handling = handlingOf(acting)
  const changed = new Set<string>()
  const handle = async (account: AccountId, slug: string | undefined) => {
    const named = items.filter((each) => each.account === slug)
    const done = await handleWorkItems(sql, account, {
      scope: operator.accounts,
      items: named.filter(({ kind }) => isOfForwarder(kind) === (slug === undefined)),
      handling,
      by: author,
    })
    if (done.length === 0) return
    for (const each of done) changed.add(keyOf({ ...each, account: slug }))
    const details = { operation: 'actOnWorkItems', action: acting.action, items: done }
    await recordAudit(sql, account, actor, { kind: 'operator', action: 'operator_acted', details })
  }

  if (items.some(({ account }) => account === undefined)) await handle(forwarderAccount, undefined)
  const slugs = items.flatMap(({ account }) => account ?? [])
  const known = await findNamedAccounts(sql, operator.accounts, slugs)
  for (const { account_id, slug } of known)
    await commitWithin(sql, account_id, author, async () => handle(account_id, slug))

  const isKnown = (slug: string | undefined) => slug === undefined || known.some((each) => each.slug === slug)
  return {
    outcomes: items.map((each) => {
      if (changed.has(keyOf(each))) return { ...each, outcome: 'changed' as const }
      const { code, message } = new Refusal(isKnown(each.account) ? 'work_item_not_found' : 'account_not_found')
      return { ...each, outcome: 'refused' as const, code, detail: message }
    }),
  }
}

function handlingOf({ action, owner = '', until }: Omit<WorkActing, 'items'>): Handling {
  if (action === 'assign') return { owner: owner === '' ? null : owner }
  return { snoozed_until: action === 'snooze' && until !== undefined ? until : null }
}

function isOfForwarder(kind: NamedWorkItem['kind']): boolean {
  return kind === 'message' || kind === 'code'
}

function keyOf({ account, kind, item }: NamedWorkItem): string {
  return JSON.stringify([account, kind, item])
}
