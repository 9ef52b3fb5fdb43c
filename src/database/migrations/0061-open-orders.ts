/**
 * The forwarder lists orders with quantities that are not assigned, over all accounts, by the day on which the goods are wanted.
 * The search index is rebuilt by its new version.
 */
export const openOrders = `
alter table purchase_order_search add column has_open_lines boolean not null default false;
alter table purchase_order_search add column wanted_on date;
create index purchase_order_search_open on purchase_order_search (wanted_on, account_id, reference) where has_open_lines;
create index purchase_order_search_open_of_account on purchase_order_search (account_id, wanted_on, reference)
  where has_open_lines;
`
