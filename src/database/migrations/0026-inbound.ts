/**
 * What arrives when: a row for each part of an order line, with the date of its shipment; and the dates of shipments at each
 * revision that changed them, by which a list shows what has moved. Rows of existing accounts are written at the next start.
 */
export const inbound = `
create table arrivals (
  account_id integer not null,
  svc_shipment_id text collate "C" not null,
  revision bigint not null,
  shipment_name text,
  expected_on date,
  date_status text collate "C",
  date_of text collate "C",
  delivered boolean not null,
  cancelled boolean not null,
  location text collate "C",
  vessel text,
  primary key (account_id, svc_shipment_id, revision)
);
create index arrivals_by_revision on arrivals (account_id, revision);

create table inbound (
  account_id integer not null,
  reference text collate "C" not null,
  line text collate "C" not null,
  svc_shipment_id text collate "C" not null,
  sku text collate "C" not null,
  name text,
  supplier text,
  desired_on date,
  quantity double precision not null,
  shipped double precision not null,
  words text collate "C" not null,
  shipment_name text,
  expected_on date,
  date_status text collate "C",
  date_of text collate "C",
  delivered boolean not null,
  location text collate "C",
  vessel text,
  primary key (account_id, reference, line, svc_shipment_id)
);
create index inbound_by_date on inbound (account_id, delivered, expected_on, reference, line, svc_shipment_id);
create index inbound_by_sku on inbound (account_id, sku, expected_on);
create index inbound_by_shipment on inbound (account_id, svc_shipment_id);
create index inbound_by_vessel on inbound (account_id, upper(vessel)) where vessel is not null and not delivered;

alter table accounts add column inbound_rules integer not null default 0;
alter table accounts alter column inbound_rules set default 1;
`
