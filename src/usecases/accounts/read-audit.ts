import { Readable } from 'node:stream'
import { systemTime } from '../../clock/clock.js'
import type { AuditEntries, AuditEntry, AuditFilter } from '../../contract/audit.js'
import { isDateWithTime } from '../../contract/formats.js'
import { invalid } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { utcDate } from '../../domain/dates/local-time.js'
import { type AuditCursor, forwarderLog, listAuditEntries } from '../../store/audit.js'
import type { OperatorHandler } from '../operator-context.js'
import type { PortalHandler } from '../portal-context.js'

export const listAudit: PortalHandler<'listAudit'> = async ({ db, account }, { query }) => readPage(db, account, query)

export const listAccountAudit: OperatorHandler<'listAccountAudit'> = async ({ db, account }, { query }) =>
  readPage(db, account, query)

/** Read after the snapshot has been released: the log of years takes a while to send. */
export const exportAccountAudit: OperatorHandler<'exportAccountAudit'> = async ({ account, accountRow }, { query }) => {
  return async (db) => ({
    name: `audit-${accountRow.slug}.ndjson`,
    mediaType: 'application/x-ndjson',
    content: Readable.from(auditLines(db, account, query)),
  })
}

export const listForwarderAudit: OperatorHandler<'listForwarderAudit'> = async ({ db }, { query }) =>
  readPage(db, forwarderLog, query)

export const exportAudit: PortalHandler<'exportAudit'> = async ({ db, account, today }, { query }) => ({
  name: `audit-${today}.ndjson`,
  mediaType: 'application/x-ndjson',
  content: Readable.from(auditLines(db, account, query)),
})

export const exportForwarderAudit: OperatorHandler<'exportForwarderAudit'> = async ({ db }, { query }) => {
  const name = `audit-${utcDate(systemTime())}.ndjson`
  const content = Readable.from(auditLines(db, forwarderLog, query))
  return async () => ({ name, mediaType: 'application/x-ndjson', content })
}

/** The entries as lines of JSON, the newest first, read in batches. */
export async function* auditLines(db: Reader, account: AccountId, filter: AuditFilter): AsyncGenerator<string> {
  for (let after: AuditCursor | undefined, isLast = false; !isLast; ) {
    const entries: AuditEntry[] = await listAuditEntries(db, account, { ...filter, after, take: batchLength })
    for (const entry of entries) yield `${JSON.stringify(entry)}\n`
    after = entries.at(-1)
    isLast = entries.length < batchLength
  }
}

const batchLength = 500

async function readPage(
  db: Reader,
  account: AccountId,
  { after, take = 50, ...filter }: AuditFilter & { after?: string | undefined; take?: number | undefined },
): Promise<AuditEntries> {
  const cursor = after === undefined ? undefined : parseCursor(after)
  // One row more than requested shows whether there is a next page.
  const rows = await listAuditEntries(db, account, { ...filter, after: cursor, take: take + 1 })
  const entries = rows.slice(0, take)
  const last = entries.at(-1)
  return { entries, ...(rows.length > take && last && { next: formatCursor(last) }) }
}

function formatCursor({ at, entry_id }: AuditCursor): string {
  return Buffer.from(`${at} ${entry_id}`).toString('base64url')
}

const cursorForm = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z) (aud_[0-9a-f]{16})$/

function parseCursor(text: string): AuditCursor {
  const [, at, entry_id] = cursorForm.exec(Buffer.from(text, 'base64url').toString()) ?? []
  if (at === undefined || entry_id === undefined || !isDateWithTime(at)) {
    throw invalid([{ pointer: '/after', detail: 'must be `next` of the page before' }])
  }
  return { at, entry_id }
}
