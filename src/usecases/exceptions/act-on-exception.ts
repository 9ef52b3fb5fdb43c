import { businessTime } from '../../clock/clock.js'
import type { ExceptionActing, ExceptionRecord } from '../../contract/operator/exceptions.js'
import { Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import { acknowledgedByCustomer, acted, refuseIncomplete } from '../../domain/exceptions/actions.js'
import { renderException } from '../../domain/exceptions/episodes.js'
import { commitWithin } from '../../ledger/commit.js'
import { findRecord } from '../../ledger/records.js'
import type { Transaction } from '../../ledger/transaction.js'
import { recordAudit } from '../../store/audit.js'
import { saveWaiver } from '../../store/document-waivers.js'
import { findNamedAccounts } from '../accounts/named-accounts.js'
import type { CustomerHandler } from '../customer-context.js'
import type { OperatorHandler } from '../operator-context.js'
import { versionAfterWrite } from './exception-versions.js'

/** By an account itself: of what it can see. */
export const acknowledgeException: CustomerHandler<'acknowledgeException'> = async (
  { tx, account },
  { params: { exception_id }, body: { note } },
) => {
  const record = await findRecord(tx.sql, account, 'exception', exception_id)
  if (!record?.visible) throw new Refusal('exception_not_found')
  const after = acknowledgedByCustomer(record, { by: tx.author, at: timeOf(tx) }, note)
  tx.put('exception', [{ record: after, before: record }])
  return renderException(after)
}

export const actOnException: OperatorHandler<'actOnException'> = async (
  { tx, account, accountRow },
  { params: { exception_id }, body },
) => {
  refuseIncomplete(body, businessTime())
  const record = await act(tx, account, exception_id, body)
  return versionAfterWrite(tx, accountRow.slug, record)
}

async function act(
  tx: Transaction,
  account: AccountId,
  exception_id: string,
  acting: ExceptionActing,
): Promise<ExceptionRecord> {
  const before = await findRecord(tx.sql, account, 'exception', exception_id)
  if (!before) throw new Refusal('exception_not_found')
  const record = acted(before, acting, { by: tx.author, at: timeOf(tx) })
  const { svc_shipment_id, details } = record
  if (acting.action === 'waive' && svc_shipment_id !== undefined && details.document !== undefined) {
    saveWaiver(tx, account, { svc_shipment_id, type: details.document, reason: acting.reason ?? '' })
  }
  tx.put('exception', [{ record, before, reason: acting.reason ?? acting.note }])
  return record
}

function timeOf({ at }: Transaction): string {
  return new Date(at).toISOString()
}

type Outcome = { account: string; exception_id: string; outcome: 'changed' | 'refused'; code?: string; detail?: string }

/** Each account in a write of its own within one transaction. */
export const actOnExceptions: OperatorHandler<'actOnExceptions'> = async (
  { sql, actor, author, operator },
  { body },
) => {
  const { exceptions, ...acting } = body
  refuseIncomplete(acting, businessTime())
  const known = await findNamedAccounts(
    sql,
    operator.accounts,
    exceptions.map(({ account }) => account),
  )
  const outcomes = new Map<string, Outcome>()
  const keyOf = (account: string, exception_id: string) => JSON.stringify([account, exception_id])
  for (const { account_id, slug } of known) {
    const ids = [...new Set(exceptions.filter(({ account }) => account === slug).map((each) => each.exception_id))]
    await commitWithin(sql, account_id, author, async (tx) => {
      for (const exception_id of ids) {
        outcomes.set(keyOf(slug, exception_id), await outcomeOf(tx, account_id, { slug, exception_id }, acting))
      }
    })
    const details = { operation: 'actOnExceptions', action: acting.action, exceptions: ids }
    await recordAudit(sql, account_id, actor, { kind: 'operator', action: 'operator_acted', details })
  }
  return {
    outcomes: exceptions.map(
      ({ account, exception_id }) =>
        outcomes.get(keyOf(account, exception_id)) ?? {
          account,
          exception_id,
          outcome: 'refused' as const,
          ...explained(new Refusal('account_not_found')),
        },
    ),
  }
}

async function outcomeOf(
  tx: Transaction,
  account: AccountId,
  { slug, exception_id }: { slug: string; exception_id: string },
  acting: ExceptionActing,
): Promise<Outcome> {
  const named = { account: slug, exception_id }
  try {
    await act(tx, account, exception_id, acting)
    return { ...named, outcome: 'changed' }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { ...named, outcome: 'refused', ...explained(error) }
  }
}

function explained({ code, message }: Refusal) {
  return { code, detail: message }
}
