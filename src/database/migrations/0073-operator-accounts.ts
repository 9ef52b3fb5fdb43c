/**
 * Operators may work for some accounts only; null: for all of them. Of messages, the accounts that all of their events concern;
 * those that were processed before are seen by operators who work for all accounts.
 */
export const operatorAccounts = `
alter table operators add column accounts integer[];
alter table people add column accounts integer[]
  constraint people_accounts_check check (accounts is null or account_id = 0);
alter table messages add column accounts integer[] not null default '{}';
`
