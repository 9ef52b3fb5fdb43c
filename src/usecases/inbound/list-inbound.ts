import { businessDate } from '../../clock/clock.js'
import type { InboundLine, InboundQuery } from '../../contract/public/inbound.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { findRevisionAt } from '../../ledger/history.js'
import { type InboundFilter, listInbound } from '../../store/inbound-list.js'
import type { CustomerHandler } from '../customer-context.js'
import type { OperatorHandler } from '../operator-context.js'

/** What arrives when, for systems of the account. */
export const listInboundLines: CustomerHandler<'listInbound'> = async ({ ask, account }, { query }) => {
  const lines = await ask((db) => findLines(db, account, query))
  return { page: lines.map((line) => JSON.stringify(line)) }
}

/** The same for operators. */
export const listInboundOf: OperatorHandler<'listInbound'> = async ({ db, account }, { query }) =>
  findLines(db, account, query)

async function findLines(
  db: Reader,
  account: AccountId,
  { skip = 0, take = 100, ...query }: InboundQuery,
): Promise<InboundLine[]> {
  const today = businessDate()
  return listInbound(db, account, await inboundCriteriaOf(db, account, query), { skip, take, today })
}

/** The filter of a query, whose time is a revision of the account. */
export async function inboundCriteriaOf(
  db: Reader,
  account: AccountId,
  { since, ...query }: Omit<InboundQuery, 'skip' | 'take'>,
): Promise<InboundFilter> {
  return { ...query, ...(since !== undefined && { since: await findRevisionAt(db, account, since) }) }
}
