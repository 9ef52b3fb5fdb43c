import type { AccountId } from '../database/account-id.js'
import type { Reader } from '../database/database.js'
import type { ChangeKind } from './records.js'

/** A changed record: a resource, or a part of one that has no URL. */
export type NamedChange = { revision: number; kind: ChangeKind; id: string; what: string }

export type Revisions = { after: number; upTo: number }

/** Records changed by the revisions in a range, in order; limited for each revision. */
export async function listChanges(
  db: Reader,
  account: AccountId,
  { after, upTo }: Revisions,
  mostOfEach: number,
): Promise<NamedChange[]> {
  return db<NamedChange[]>`
    select wanted.revision, kind, id, what
    from generate_series(${after}::bigint + 1, ${upTo}::bigint) as wanted (revision)
    cross join lateral (
      select kind, id, what from changes
      where account_id = ${account} and changes.revision = wanted.revision limit ${mostOfEach}
    ) change
    order by wanted.revision, kind, id`
}
