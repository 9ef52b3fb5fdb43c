import type { CodeMapping, SenderCode, SenderCodes } from '../../contract/operator/codes.js'
import type { OperatorQuery } from '../../contract/operator/operations.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import type { Reader, TransactionSql } from '../../database/database.js'
import { forwarderLog, recordAudit } from '../../store/audit.js'
import { lockSender } from '../../store/messages.js'
import {
  type CodeKey,
  findCode,
  listCodeRows,
  removeMapping,
  reopenMessagesWith,
  type SenderCodeRow,
  setMapping,
} from '../../store/sender-codes.js'
import type { ForwarderWriteContext, OperatorHandler } from '../operator-context.js'

export const listCodes: OperatorHandler<'listCodes'> = async ({ db }, { query }) => readCodes(db, query)

export async function readCodes(db: Reader, { after, take = 50, ...filter }: CodeQuery): Promise<SenderCodes> {
  const rows = await listCodeRows(db, { ...filter, after: after === undefined ? undefined : cursorIn(after) }, take + 1)
  const codes = rows.slice(0, take).map(codeOf)
  const last = codes.at(-1)
  return { codes, ...(rows.length > take && last && { next: cursorOf(last) }) }
}

type CodeQuery = OperatorQuery<'listCodes'>

function cursorOf({ sender, format, code }: CodeKey): string {
  return Buffer.from(JSON.stringify([sender, format, code])).toString('base64url')
}

function cursorIn(text: string): CodeKey {
  try {
    const [sender, format, code] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[]
    if ([sender, format, code].every((part) => typeof part === 'string' && !part.includes('\0')))
      return { sender, format, code } as CodeKey
  } catch {
    // Not one of ours.
  }
  throw invalid([{ pointer: '/after', detail: 'must be `next` of the page before' }])
}

export const mapCode: OperatorHandler<'mapCode'> = async ({ sql, author, actor }, { params, body }) =>
  mapCodeIn(sql, params, body, { author, actor })

export const unmapCode: OperatorHandler<'unmapCode'> = async ({ sql, author, actor }, { params }) =>
  unmapCodeIn(sql, params, { author, actor })

/** Who maps a code: as it is shown, and as it is recorded. */
type Mapper = Pick<ForwarderWriteContext, 'author' | 'actor'>

export async function mapCodeIn(sql: TransactionSql, key: CodeKey, mapping: CodeMapping, by: Mapper) {
  // Messages that are being processed have read the mappings already.
  await lockSender(sql, key.sender)
  await setMapping(sql, key, mapping, by.author)
  return finish(sql, by, 'mapCode', key, mapping)
}

export async function unmapCodeIn(sql: TransactionSql, key: CodeKey, by: Mapper) {
  await lockSender(sql, key.sender)
  if (!(await removeMapping(sql, key))) throw new Refusal('code_not_mapped')
  return finish(sql, by, 'unmapCode', key)
}

async function finish(sql: TransactionSql, { actor }: Mapper, operation: string, key: CodeKey, mapping = {}) {
  const reopened = await reopenMessagesWith(sql, key)
  await recordAudit(sql, forwarderLog, actor, {
    kind: 'operator',
    action: 'operator_acted',
    subject: `${key.sender} ${key.code}`,
    details: { operation, ...key, ...mapping },
  })
  const row = await findCode(sql, key)
  return { ...(row ? codeOf(row) : { ...key, count: 0 }), reopened }
}

function codeOf({ sender, format, code, count, text, ...optional }: SenderCodeRow): SenderCode {
  const known = Object.entries(optional).filter(([, value]) => value !== null)
  return { sender, format, code, count, ...(text !== '' && { text }), ...Object.fromEntries(known) }
}
