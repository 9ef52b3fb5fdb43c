import { listAccountsWithCounts } from '../../store/accounts.js'
import type { OperatorHandler } from '../operator-context.js'
import { accountOf, getAccountBySlug } from './account-record.js'

export const listAccounts: OperatorHandler<'listAccounts'> = async (
  { db, operator },
  { query: { skip = 0, take = 100 } },
) => (await listAccountsWithCounts(db, operator.accounts, { skip, take })).map(accountOf)

export const getAccount: OperatorHandler<'getAccount'> = async ({ db, accountRow }) =>
  getAccountBySlug(db, accountRow.slug)
