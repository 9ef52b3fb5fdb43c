/** The first column of every primary key. */
export type AccountId = number

/** The accounts that somebody works for: every one, or these. */
export type AccountScope = 'all' | readonly AccountId[]

export function includesAccount(scope: AccountScope, account: AccountId): boolean {
  return scope === 'all' || scope.includes(account)
}

/** The forwarder's own: its log, and its operators as people. It has no slug, so no interface reaches its data by name. */
export const forwarderAccount: AccountId = 0
