import { Refusal } from '../../contract/refusals.js'
import type { TransactionSql } from '../../database/database.js'
import { type ReadTable, readTable } from '../../spreadsheet/table-process.js'
import { findAccountRow } from '../../store/accounts.js'
import { forwarderLog, recordAudit } from '../../store/audit.js'
import {
  findContent,
  findMessageToProcess,
  lockSender,
  type PendingMessage,
  setMatch,
  setOutcome,
} from '../../store/messages.js'
import { findShipmentStatuses } from '../../store/shipments.js'
import type { ForwarderReadContext, ForwarderWriteContext, OperatorHandler } from '../operator-context.js'
import { processMessage } from './process-message.js'
import { getMessageDetails } from './read-messages.js'

/** What an operator does with a message that was not applied as it came. */

/** Reads a table before the transaction begins. */
export async function prepareMessage(
  { db }: ForwarderReadContext,
  { params }: { params: { message_id: string } },
): Promise<ReadTable | undefined> {
  const found = await findContent(db, 'all', Number(params.message_id))
  return found?.format === 'table' ? readTable(found.content, `message ${params.message_id}`) : undefined
}

export const replayMessage: OperatorHandler<'replayMessage'> = async (context, { params, prepared }) => {
  const { sql } = context
  const message_id = Number(params.message_id)
  const message = await lockMessage(sql, message_id)
  await processMessage(sql, message, { quotas: context.quotas, isRepeated: true, table: await prepared })
  await audit(context, 'replayMessage', message_id)
  return getMessageDetails(sql, 'all', message_id)
}

export const matchMessage: OperatorHandler<'matchMessage'> = async (context, { params, body, prepared }) => {
  const { sql } = context
  const message_id = Number(params.message_id)
  await lockMessage(sql, message_id)
  const account = await findAccountRow(sql, body.account)
  if (!account) throw new Refusal('account_not_found')
  const { svc_shipment_id } = body
  const shipments = await findShipmentStatuses(sql, account.account_id, [svc_shipment_id])
  if (!shipments.has(svc_shipment_id)) throw new Refusal('shipment_not_found')
  await setMatch(sql, message_id, account.account_id, svc_shipment_id)
  const message = await lockMessage(sql, message_id)
  await processMessage(sql, message, { quotas: context.quotas, isRepeated: true, table: await prepared })
  await audit(context, 'matchMessage', message_id, body)
  return getMessageDetails(sql, 'all', message_id)
}

export const dropMessage: OperatorHandler<'dropMessage'> = async (context, { params, body: { reason } }) => {
  const { sql } = context
  const message_id = Number(params.message_id)
  await lockMessage(sql, message_id)
  const { outcome } = await getMessageDetails(sql, 'all', message_id)
  if (outcome === 'applied' || outcome === 'duplicate') throw new Refusal('message_applied')
  await setOutcome(sql, message_id, 'dropped', reason)
  await audit(context, 'dropMessage', message_id, { reason })
  return getMessageDetails(sql, 'all', message_id)
}

/** Until the transaction ends, nobody else processes the message. */
async function lockMessage(sql: TransactionSql, message_id: number): Promise<PendingMessage> {
  const found = await findMessageToProcess(sql, message_id)
  if (!found) throw new Refusal('message_not_found')
  await lockSender(sql, found.sender)
  return found
}

async function audit(
  { sql, actor }: ForwarderWriteContext,
  operation: string,
  message_id: number,
  details = {},
): Promise<void> {
  const subject = String(message_id)
  await recordAudit(sql, forwarderLog, actor, {
    kind: 'operator',
    action: 'operator_acted',
    subject,
    details: { operation, message_id, ...details },
  })
}
