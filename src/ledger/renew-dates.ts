import type { AccountId } from '../database/account-id.js'
import type { Database } from '../database/database.js'
import { commit } from './commit.js'

// Raised whenever the rules change by which dates and statuses follow from events.
const currentRules = 9

// A transaction that others of the account wait for takes some 100 ms.
const shipmentsAtOnce = 200

const reason = 'The rules by which dates follow from events have changed.'

/** Derives dates and statuses again where they were derived by earlier rules; interrupted, it goes on at the next start. */
export async function renewDates(db: Database): Promise<void> {
  const accounts = await db<{ id: AccountId }[]>`
    select account_id as id from accounts where tracking_rules < ${currentRules} order by account_id`
  for (const { id } of accounts) {
    await renewAccount(db, id)
    await db`update accounts set tracking_rules = ${currentRules} where account_id = ${id}`
  }
}

async function renewAccount(db: Database, account: AccountId): Promise<void> {
  let after = ''
  for (;;) {
    const rows = await db<{ id: string }[]>`
      select svc_shipment_id as id from tracking
      where account_id = ${account} and svc_shipment_id > ${after}
      order by svc_shipment_id limit ${shipmentsAtOnce}`
    const last = rows.at(-1)
    if (!last) return
    await commit(db, account, 'waybill', async (tx) => {
      tx.renewTracking(
        rows.map(({ id }) => id),
        reason,
      )
    })
    after = last.id
  }
}
