import { countWaitingWork } from '../../store/work-counts.js'
import { accountScopeOf } from '../accounts/account-scope.js'
import type { OperatorHandler } from '../operator-context.js'
import { indexChanges } from '../search/index-changes.js'

export const countWork: OperatorHandler<'countWork'> = async ({ db, signal, operator }, { query }) => {
  const { account, ...filter } = query
  const scope = await accountScopeOf(db, operator, account)
  await indexChanges(db, account, signal)
  return countWaitingWork(db, scope, filter, { isOfAccount: account !== undefined })
}
