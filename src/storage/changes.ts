import type { Reader } from './database.js'
import type { AccountId, ChangeKind } from './transaction.js'

/** What a revision has changed: a resource, or what has no address of its own. */
export type NamedChange = { revision: number; kind: ChangeKind; id: string; what: string }

export type Revisions = { after: number; upTo: number }

/** What the revisions behind one and up to another have changed, in their order: so many things of each at most. */
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
