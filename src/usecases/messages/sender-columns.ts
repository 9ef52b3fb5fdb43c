import { TableColumns } from '../../contract/operator/tables.js'
import { type Fault, invalid, Refusal } from '../../contract/refusals.js'
import { validatorOf } from '../../contract/validation.js'
import { columnFaults } from '../../domain/messages/table/column-faults.js'
import { forwarderLog, recordAudit } from '../../store/audit.js'
import { lockSender } from '../../store/messages.js'
import { deleteColumns, findColumns, type SenderColumnsRow, saveColumns } from '../../store/sender-columns.js'
import type { ForwarderWriteContext, OperatorHandler } from '../operator-context.js'

export const getSenderColumns: OperatorHandler<'getSenderColumns'> = async ({ db }, { params: { sender } }) => {
  const found = await findColumns(db, sender)
  if (!found) throw new Refusal('columns_not_found')
  return columnsOf(sender, found)
}

export const setSenderColumns: OperatorHandler<'setSenderColumns'> = async (context, { params: { sender }, body }) => {
  const { sql, author } = context
  refuseFaults(columnFaults(body))
  // Messages that are being processed have read the columns already.
  await lockSender(sql, sender)
  await saveColumns(sql, sender, body, author)
  await audit(context, 'setSenderColumns', sender, body)
  return columnsOf(sender, (await findColumns(sql, sender)) as SenderColumnsRow)
}

export const removeSenderColumns: OperatorHandler<'removeSenderColumns'> = async (context, { params: { sender } }) => {
  const { sql } = context
  await lockSender(sql, sender)
  if (!(await deleteColumns(sql, sender))) throw new Refusal('columns_not_found')
  await audit(context, 'removeSenderColumns', sender, {})
  return { removed: sender }
}

const validator = validatorOf(TableColumns)

/** The columns that a query states as JSON. */
export function columnsIn(text: string): TableColumns {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    throw invalid([{ pointer: '/columns', detail: 'is not JSON' }])
  }
  const faults = validator.faultsIn(given)
  refuseFaults(faults.length > 0 ? faults : columnFaults(given as TableColumns), '/columns')
  return given as TableColumns
}

function refuseFaults(faults: Fault[], prefix = ''): void {
  if (faults.length > 0) throw invalid(faults.map(({ pointer, detail }) => ({ pointer: prefix + pointer, detail })))
}

function columnsOf(sender: string, { settings, saved_by, saved_at }: SenderColumnsRow) {
  return { sender, ...settings, saved_by, saved_at }
}

async function audit({ sql, actor }: ForwarderWriteContext, operation: string, sender: string, details: object) {
  await recordAudit(sql, forwarderLog, actor, {
    kind: 'operator',
    action: 'operator_acted',
    subject: sender,
    details: { operation, sender, ...details },
  })
}
