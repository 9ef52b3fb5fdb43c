/** What an account has to look at, without reading its past exceptions. */
export const openExceptions = `
create index exceptions_open_by_account on exceptions (account_id, kind, newest_first) where state <> 'closed';
`
