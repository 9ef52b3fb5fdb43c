/** How much more than ordered an account accepts, and why an operator assigned more than that. */
export const overShipment = `
alter table accounts add column over_shipment_percent double precision not null default 0;
alter table assignments add column over_shipment_reason text;
`
