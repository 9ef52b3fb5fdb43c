/** Deliveries that were finished and that a user asks for again: they say nothing about those that have to be delivered. */
export const resentDeliveries = `
alter table webhook_deliveries add column resent boolean not null default false;
`
