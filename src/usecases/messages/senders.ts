import { Refusal } from '../../contract/refusals.js'
import { forwarderLog, recordAudit } from '../../store/audit.js'
import { deleteSender, listSenders as listSenderRows, saveSender } from '../../store/senders.js'
import type { ForwarderWriteContext, OperatorHandler } from '../operator-context.js'

export const listSenders: OperatorHandler<'listSenders'> = async ({ db }) =>
  (await listSenderRows(db)).map(({ name, ...row }) => ({ ...row, ...(name !== null && { name }) }))

export const setSender: OperatorHandler<'setSender'> = async (context, { params: { sender }, body }) => {
  await saveSender(context.sql, sender, body)
  await audit(context, 'setSender', sender, body)
  return { sender, ...body }
}

export const removeSender: OperatorHandler<'removeSender'> = async (context, { params: { sender } }) => {
  if (!(await deleteSender(context.sql, sender))) throw new Refusal('sender_not_found')
  await audit(context, 'removeSender', sender, {})
  return { removed: sender }
}

async function audit({ sql, actor }: ForwarderWriteContext, operation: string, sender: string, details: object) {
  await recordAudit(sql, forwarderLog, actor, {
    kind: 'operator',
    action: 'operator_acted',
    subject: sender,
    details: { operation, sender, ...details },
  })
}
