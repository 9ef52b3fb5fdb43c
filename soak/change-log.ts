import type { Database } from '../src/database/database.js'
import { serviceAuthor } from '../src/domain/exceptions/episodes.js'
import type { AccountState } from './expected.js'
import type { Ledger } from './ledger.js'

/** Every acknowledged write must be exactly one revision of the change log. */

type ChangeRow = {
  kind: string
  id: string
  revision: number
  what: string
  author: string
  text: string
  isOrdered: boolean
}

export async function readChangeLog(
  db: Database,
  { slug, revisionsBefore }: AccountState,
  ledger: Ledger,
): Promise<{ lost: number; doubled: number; faults: string[] }> {
  const { acknowledged, unknown } = ledger.of(slug)
  const [rows, standing] = await Promise.all([listChanges(db, slug), findStanding(db, slug)])
  const faults: string[] = []
  let [lost, doubled] = [0, 0]

  const written = writtenByCallers(rows)
  const holders = resourcesByToken(written)
  const revisions = new Set(written.filter(({ what }) => what !== 'derived').map(({ revision }) => revision))
  for (const { token, isTokenWritten, revision, operation } of acknowledged) {
    const resources = holders.get(token)?.size ?? 0
    const isThere = (!isTokenWritten || resources > 0) && (revision === undefined || revisions.has(revision))
    if (!isThere) {
      lost += 1
      faults.push(`${operation} ${token} (revision ${revision}) was acknowledged, and is not in the change log`)
    }
    if (resources > 1) {
      doubled += 1
      faults.push(`${operation} ${token} was performed ${resources} times`)
    }
  }
  for (const { token, operation } of unknown) {
    if ((holders.get(token)?.size ?? 0) <= 1) continue
    doubled += 1
    faults.push(`${operation} ${token} was performed twice`)
  }

  const made = countDistinctRevisions(written) - revisionsBefore
  const most = acknowledged.length + unknown.length
  if (made < acknowledged.length) faults.push(`${made} revisions of ${acknowledged.length} acknowledged writes`)
  lost = Math.max(lost, acknowledged.length - made)
  if (made > most)
    faults.push(`${made} revisions of at most ${most} writes, such as ${unexplained(written, acknowledged)}`)
  doubled = Math.max(doubled, made - most)
  const logged = countDistinctRevisions(rows)
  if (standing !== logged) faults.push(`the account is at revision ${standing}, its log at ${logged}`)
  const unordered = rows.filter(({ isOrdered }) => !isOrdered)
  if (unordered.length > 0)
    faults.push(
      `${unordered.length} changes are not later than their predecessors, first at revision ${unordered[0]?.revision}`,
    )
  return { lost, doubled, faults }
}

/** Changes of revisions that no acknowledged write names, the last ones. */
function unexplained(rows: ChangeRow[], acknowledged: { revision: number | undefined; token: string }[]): string {
  const revisions = new Set(acknowledged.map(({ revision }) => revision))
  const tokens = new Set(acknowledged.map(({ token }) => token))
  const isExplained = ({ text }: ChangeRow) => [...text.matchAll(tokenPattern)].some(([token]) => tokens.has(token))
  const others = rows.filter((row) => !revisions.has(row.revision) && !isExplained(row))
  return others
    .slice(-4)
    .map(({ revision, kind, id, what, author }) => `${revision} ${kind} ${id} ${what} by ${author}`)
    .join('; ')
}

export async function countRevisions(db: Database, slug: string): Promise<number> {
  return countDistinctRevisions(writtenByCallers(await listChanges(db, slug)))
}

function countDistinctRevisions(rows: ChangeRow[]): number {
  return new Set(rows.map(({ revision }) => revision)).size
}

/** Without what the service writes by itself: exceptions that it raises and clears. */
function writtenByCallers(rows: ChangeRow[]): ChangeRow[] {
  return rows.filter(({ author }) => author !== serviceAuthor)
}

/** Messages that were stored and acknowledged, and are still to be processed. */
export async function countPendingMessages(db: Database): Promise<number> {
  return (await countMessages(db)).pending
}

export async function countMessages(db: Database): Promise<{ all: number; pending: number }> {
  const [row] = await db<{ all: number; pending: number }[]>`
    select count(*)::integer as all, (count(*) filter (where outcome = 'received'))::integer as pending from messages`
  return row ?? { all: 0, pending: 0 }
}

const tokenPattern = /[a-z-]+~\d+~/g

/** The resources that contain a token; later versions of a resource may contain it too. */
function resourcesByToken(rows: ChangeRow[]): Map<string, Set<string>> {
  const holders = new Map<string, Set<string>>()
  for (const { kind, id, text } of rows) {
    for (const [token] of text.matchAll(tokenPattern)) {
      const resources = holders.get(token) ?? new Set()
      holders.set(token, resources.add(`${kind} ${id}`))
    }
  }
  return holders
}

async function listChanges(db: Database, slug: string): Promise<ChangeRow[]> {
  return db<ChangeRow[]>`
    select kind, id, changes.revision, what, author, coalesce(record, '') || ' ' || coalesce(reason, '') as text,
      coalesce(at > lag(at) over all_before or changes.revision = lag(changes.revision) over all_before, true) as "isOrdered"
    from changes join accounts using (account_id)
    where slug = ${slug}
    window all_before as (order by changes.revision, at)
    order by changes.revision, at`
}

async function findStanding(db: Database, slug: string): Promise<number> {
  const [row] = await db<{ revision: number }[]>`select revision from accounts where slug = ${slug}`
  return row?.revision ?? -1
}
