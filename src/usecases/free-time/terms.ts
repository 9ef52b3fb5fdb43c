import type { FreeTimeTermFields } from '../../contract/operator/free-time.js'
import { type Fault, invalid, Refusal } from '../../contract/refusals.js'
import type { Reader } from '../../database/database.js'
import { termFaults } from '../../domain/free-time/term-faults.js'
import { findAccountRow } from '../../store/accounts.js'
import { forwarderLog, recordAudit } from '../../store/audit.js'
import { findTerm, listTerms, lockFreeTime, saveTerm } from '../../store/free-time.js'
import type { ForwarderWriteContext, OperatorHandler } from '../operator-context.js'

export const listFreeTimeTerms: OperatorHandler<'listFreeTimeTerms'> = async ({ db, operator }, { query }) => {
  const { after, take = 100, as_of } = query
  const found = await listTerms(db, operator.accounts, { after, most: take + 1, asOf: as_of })
  const terms = found.slice(0, take)
  const last = terms.at(-1)
  return { terms, ...(found.length > take && last && { next: last.id }) }
}

export const setFreeTimeTerm: OperatorHandler<'setFreeTimeTerm'> = async (context, { params: { term_id }, body }) => {
  const { sql, author } = context
  await lockFreeTime(sql)
  const faults = [...termFaults(body), ...(await accountFaults(sql, body))]
  if (faults.length > 0) throw invalid(faults)
  await saveTerm(sql, term_id, body, author)
  await audit(context, 'setFreeTimeTerm', term_id)
  const stored = await findTerm(sql, term_id)
  if (!stored) throw new Error(`the rule ${term_id} was not stored`)
  return stored
}

export const removeFreeTimeTerm: OperatorHandler<'removeFreeTimeTerm'> = async (context, { params: { term_id } }) => {
  const { sql, author } = context
  await lockFreeTime(sql)
  if (!(await findTerm(sql, term_id))) throw new Refusal('free_time_term_not_found')
  await saveTerm(sql, term_id, undefined, author)
  await audit(context, 'removeFreeTimeTerm', term_id)
  return { removed: term_id }
}

async function accountFaults(db: Reader, { account }: FreeTimeTermFields): Promise<Fault[]> {
  if (account === undefined || (await findAccountRow(db, account))) return []
  return [{ pointer: '/account', detail: 'there is no such account' }]
}

async function audit({ sql, actor }: ForwarderWriteContext, operation: string, term_id: string): Promise<void> {
  await recordAudit(sql, forwarderLog, actor, {
    kind: 'operator',
    action: 'operator_acted',
    subject: term_id,
    details: { operation, term_id },
  })
}
