/** The forwarder looks invoices and orders up by their numbers, over all accounts and in any case. */
export const numbersOfAllAccounts = `
create index invoices_by_any_number on invoices (upper(number), account_id, reference) where number is not null;
create index invoices_by_any_reference on invoices (upper(reference), account_id);
create index purchase_orders_by_any_reference on purchase_orders (upper(reference), account_id);
`
