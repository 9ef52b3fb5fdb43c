/** Invoices are sorted by amount. The new version of the index fills the column. */
export const invoiceAmounts = `
alter table invoice_search add column amount bigint;
create index invoice_search_by_amount on invoice_search (account_id, amount, reference);
`
