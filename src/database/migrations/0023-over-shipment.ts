/** How much more than ordered an account accepts, and why an operator assigned more than that. Shipments are found by their orders, too. */
export const overShipment = `
alter table accounts add column over_shipment_percent double precision not null default 0;
alter table assignments add column over_shipment_reason text;

insert into shipment_references (account_id, svc_shipment_id, kind, reference)
select distinct account_id, svc_shipment_id, 'purchase_order', upper(regexp_replace(reference, '[^A-Za-z0-9]+', '', 'g'))
from assignments
where length(regexp_replace(reference, '[^A-Za-z0-9]+', '', 'g')) between 1 and 64
on conflict do nothing;
`
