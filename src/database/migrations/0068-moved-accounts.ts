/** An account that has moved to another database leaves its row and its keys, so that requests to the old place can be retried. */
export const movedAccounts = `
alter table accounts add column moved_at timestamptz;
`
