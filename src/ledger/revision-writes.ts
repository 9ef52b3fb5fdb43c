import { resourceKinds } from '../contract/public/operations.js'
import type { AccountId } from '../database/account-id.js'
import { asJson, type Reader } from '../database/database.js'
import { type Change, lastOfEach, type RowWrite } from '../store/write.js'

/** What every write of an account stores: its changes, and the revision. */

type ChangeRow = Change & { account_id: AccountId; revision: number; at: string; author: string }

export function appendChanges(
  { sql, revision, at, author }: RowWrite & { at: string; author: string },
  account_id: AccountId,
  changes: Change[],
): void {
  sql.gathering.write(
    insertChanges,
    changes.map((change) => ({ ...change, account_id, revision, at, author })),
  )
}

// One write may store a record several times: the last version counts.
function insertChanges(sql: Reader, rows: ChangeRow[]) {
  const ordered = [...rows.filter(({ what }) => what === 'derived'), ...rows.filter(({ what }) => what !== 'derived')]
  const changes = lastOfEach(ordered, ({ account_id, revision, kind, id }) =>
    JSON.stringify([account_id, revision, kind, id]),
  )
  return sql`
    insert into changes (account_id, kind, id, revision, at, author, what, record, reason)
    select account_id, kind, id, revision, at, author, what, record, reason
    from jsonb_to_recordset(${asJson(changes)}::text::jsonb) as change (
      account_id integer, kind text, id text, revision bigint, at timestamptz, author text, what text, record text, reason text)
    on conflict (account_id, kind, id, revision) do update
    set what = excluded.what, record = excluded.record, reason = excluded.reason where excluded.what <> 'derived'`
}

type Raised = {
  account_id: AccountId
  revision: number
  at: string
  added_bytes: number
  changed: Record<string, number>
}

/** Raises the revision of an account, and those of the kinds of resources that changed. */
export function raiseRevision(
  { sql, revision, at }: RowWrite & { at: string },
  account_id: AccountId,
  { changed, addedBytes }: { changed: string[]; addedBytes: number },
): void {
  const revisions = Object.fromEntries(changed.map((kind) => [kind, revision]))
  sql.gathering.write(updateAccounts, [{ account_id, revision, at, added_bytes: addedBytes, changed: revisions }])
}

function updateAccounts(sql: Reader, rows: Raised[]) {
  const kinds = resourceKinds
    .map((kind) => {
      const column = sql(`${kind}_revision`)
      return sql`, ${column} = coalesce((raised.changed ->> ${kind}::text)::bigint, accounts.${column})`
    })
    .reduce((all, each) => sql`${all}${each}`)
  return sql`
    update accounts
    set revision = raised.revision, changed_at = raised.at, stored_bytes = stored_bytes + raised.added_bytes${kinds}
    from jsonb_to_recordset(${asJson(lastOfAccounts(rows))}::text::jsonb)
      as raised (account_id integer, revision bigint, at timestamptz, added_bytes bigint, changed jsonb)
    where accounts.account_id = raised.account_id`
}

/** Several writes of one account raise its revision once, to that of the last one. */
function lastOfAccounts(rows: Raised[]): Raised[] {
  const last = new Map<AccountId, Raised>()
  for (const row of rows) {
    const before = last.get(row.account_id)
    const added_bytes = row.added_bytes + (before?.added_bytes ?? 0)
    last.set(row.account_id, { ...row, added_bytes, changed: { ...before?.changed, ...row.changed } })
  }
  return [...last.values()]
}
