/** Payments of bank lists are looked up over all accounts: a row is recorded once, whatever invoice it named. */
export const bankPayments = `
create index payments_of_bank_lists on payments (payment_id, account_id) where payment_id like 'BANK-%';
`
