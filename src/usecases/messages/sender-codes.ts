import type { SenderCode } from '../../contract/operator/codes.js'
import { invalid, Refusal } from '../../contract/refusals.js'
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

export const listCodes: OperatorHandler<'listCodes'> = async ({ db }, { query }) => {
  const { after, take = 50, ...filter } = query
  const rows = await listCodeRows(db, { ...filter, after: after === undefined ? undefined : cursorIn(after) }, take + 1)
  const codes = rows.slice(0, take).map(codeOf)
  const last = codes.at(-1)
  return { codes, ...(rows.length > take && last && { next: cursorOf(last) }) }
}

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

export const mapCode: OperatorHandler<'mapCode'> = async (context, { params, body }) => {
  const { sql, author } = context
  // Messages that are being processed have read the mappings already.
  await lockSender(sql, params.sender)
  await setMapping(sql, params, body, author)
  return finish(context, 'mapCode', params, body)
}

export const unmapCode: OperatorHandler<'unmapCode'> = async (context, { params }) => {
  const { sql } = context
  await lockSender(sql, params.sender)
  if (!(await removeMapping(sql, params))) throw new Refusal('code_not_mapped')
  return finish(context, 'unmapCode', params)
}

async function finish({ sql, actor }: ForwarderWriteContext, operation: string, key: CodeKey, mapping = {}) {
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
