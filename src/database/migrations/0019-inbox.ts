/**
 * Messages of carriers and others as they came in, the identity of every event that they brought, and the references of all
 * shipments. References are stored without separators and in capitals (`normalReference` in the domain).
 */
export const inbox = `
create table shipment_references (
  reference text collate "C" not null,
  kind text collate "C" not null,
  account_id integer not null,
  svc_shipment_id text collate "C" not null,
  primary key (account_id, svc_shipment_id, kind, reference)
);
create index shipment_references_by_reference on shipment_references (reference, account_id, svc_shipment_id, kind);

insert into shipment_references (reference, kind, account_id, svc_shipment_id)
select distinct upper(regexp_replace(found.reference, '[^A-Za-z0-9]+', '', 'g')), found.kind, account_id, svc_shipment_id
from (
  select account_id, svc_shipment_id, body::jsonb as body from shipments offset 0
) stored
cross join lateral (
  select 'shipment' as kind, svc_shipment_id as reference
  union all select 'booking', body #>> '{booking_information,ocean_booking,booking_number}'
  union all select 'master_bill', body #>> '{booking_information,master_bill}'
  union all select 'house_bill', body #>> '{booking_information,house_bill}'
  union all select 'container', jsonb_path_query(body, '$.cargo.containers[*].container_number') #>> '{}'
) found
where upper(regexp_replace(found.reference, '[^A-Za-z0-9]+', '', 'g')) ~ '^.{1,64}$';

create table messages (
  message_id bigint generated always as identity primary key,
  sender text collate "C" not null,
  channel text collate "C" not null,
  format text collate "C" not null,
  received_at timestamptz not null default clock_timestamp(),
  hash text collate "C" not null,
  content bytea not null,
  outcome text collate "C" not null default 'received',
  reason text,
  processed_at timestamptz,
  counts text not null default '{}',
  events text not null default '[]',
  refs text[] collate "C" not null default '{}',
  waiting text[] collate "C" not null default '{}',
  matched_account_id integer,
  matched_shipment text
);
create index messages_by_sender on messages (sender, message_id);
create index messages_by_outcome on messages (outcome, message_id);
create index messages_by_hash on messages (sender, hash, message_id);
create index messages_by_reference on messages using gin (refs);
create index messages_pending on messages (sender, message_id) where outcome = 'received';
create index messages_unmatched on messages (message_id) where outcome = 'unmatched';
create index messages_by_age on messages using brin (received_at);

create table event_identities (
  sender text collate "C" not null,
  identity text collate "C" not null,
  issued_at timestamptz not null,
  content_hash text collate "C" not null,
  retracted boolean not null,
  account_id integer,
  svc_shipment_id text collate "C",
  event_id text collate "C",
  message_id bigint not null,
  primary key (sender, identity)
);
create index event_identities_by_event on event_identities (account_id, svc_shipment_id, event_id);
`
