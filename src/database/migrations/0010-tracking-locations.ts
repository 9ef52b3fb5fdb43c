/** Saved locations used by the steps of a tracking, which is rendered again when one of them changes. */
export const trackingLocations = `
create table tracking_locations (
  account_id integer not null,
  location_id bigint not null,
  svc_shipment_id text collate "C" not null,
  primary key (account_id, location_id, svc_shipment_id),
  foreign key (account_id, svc_shipment_id) references tracking (account_id, svc_shipment_id)
    on delete cascade deferrable initially deferred
);
create index tracking_locations_by_shipment on tracking_locations (account_id, svc_shipment_id);

insert into tracking_locations (account_id, location_id, svc_shipment_id)
select distinct tracking.account_id, jsonb_path_query(newest.record::jsonb, '$.tracking_steps[*].location.id')::text::bigint,
  tracking.svc_shipment_id
from tracking
cross join lateral (
  select record from changes
  where account_id = tracking.account_id and kind = 'tracking' and id = tracking.svc_shipment_id and what <> 'derived'
  order by revision desc limit 1
) newest
where strpos(newest.record, '"location":') > 0;
`
