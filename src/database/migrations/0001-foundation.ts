/**
 * Account first in every key, so that the tables can be distributed by account. Identifiers compare by their
 * bytes (`collate "C"`): the order of lists must not depend on the locale of a server.
 *
 * `newest_first` is minus the microseconds of the date that a list is sorted by, so that one ascending index
 * serves "newest first, then by identifier", page by page.
 *
 * Bodies are the public JSON, rendered by the write that changed them. Rows up to 8 KB keep them in place and
 * uncompressed (`toast_tuple_target`): a read is then a copy.
 */
export const foundation = `
create function newest_first(at timestamptz) returns bigint
  language sql immutable parallel safe
  return -(extract(epoch from at) * 1000000)::bigint;

create table service (
  only_row boolean primary key default true check (only_row),
  -- Part of every ETag, with the object identifier of the accounts table.
  epoch text not null default gen_random_uuid()::text,
  link_secret text not null
);

create table accounts (
  account_id integer generated always as identity primary key,
  slug text collate "C" not null unique,
  name text not null,
  created_at timestamptz not null default now(),
  revision bigint not null default 0,
  -- The revision at which anything of a kind last changed: what a cached list is validated by.
  shipment_revision bigint not null default 0,
  purchase_order_revision bigint not null default 0,
  location_revision bigint not null default 0,
  invoice_revision bigint not null default 0,
  tracking_revision bigint not null default 0,
  document_revision bigint not null default 0
) with (fillfactor = 50);

create table keys (
  account_id integer not null references accounts,
  key_id text collate "C" not null,
  hash bytea not null unique,
  hint text not null,
  name text,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  primary key (account_id, key_id)
);

-- Every version of everything, and the order in which it happened. What a resource is made of is kept here,
-- as it came in; a change without a record is one of derived fields only.
create table changes (
  account_id integer not null,
  kind text collate "C" not null,
  id text collate "C" not null,
  revision bigint not null,
  at timestamptz not null default now(),
  author text not null,
  what text not null check (what in ('created', 'updated', 'derived')),
  record text check ((record is null) = (what = 'derived')),
  primary key (account_id, kind, id, revision)
);
create index changes_by_revision on changes (account_id, revision);

create table locations (
  account_id integer not null,
  location_id bigint not null,
  revision bigint not null,
  body text not null,
  primary key (account_id, location_id)
);

create table shipments (
  account_id integer not null,
  svc_shipment_id text collate "C" not null,
  newest_first bigint not null,
  status text,
  revision bigint not null,
  body text not null,
  primary key (account_id, svc_shipment_id)
) with (toast_tuple_target = 8160);
create index shipments_newest_first on shipments (account_id, newest_first, svc_shipment_id);

create table tracking (
  account_id integer not null,
  svc_shipment_id text collate "C" not null,
  main_tracking_dates text not null,
  revision bigint not null,
  body text not null,
  primary key (account_id, svc_shipment_id)
) with (toast_tuple_target = 8160);

create table invoices (
  account_id integer not null,
  reference text collate "C" not null,
  number text collate "C",
  svc_shipment_id text collate "C",
  type text,
  status text,
  newest_first bigint not null,
  revision bigint not null,
  body text not null,
  primary key (account_id, reference)
) with (toast_tuple_target = 8160);
create index invoices_newest_first on invoices (account_id, newest_first, reference);
create index invoices_by_number on invoices (account_id, number);
create index invoices_by_shipment on invoices (account_id, svc_shipment_id);

-- The body ends before its link, which is signed anew for every time window.
create table documents (
  account_id integer not null,
  id uuid not null,
  svc_shipment_id text collate "C",
  type text,
  name text not null,
  content_hash text collate "C" not null,
  newest_first bigint not null,
  revision bigint not null,
  body text not null,
  primary key (account_id, id)
);
create index documents_newest_first on documents (account_id, newest_first, id);
create index documents_by_shipment on documents (account_id, svc_shipment_id, newest_first, id);

create table purchase_orders (
  account_id integer not null,
  reference text collate "C" not null,
  newest_first bigint not null,
  revision bigint not null,
  body text not null,
  primary key (account_id, reference)
) with (toast_tuple_target = 8160);
create index purchase_orders_newest_first on purchase_orders (account_id, newest_first, reference);

create table assignments (
  account_id integer not null,
  reference text collate "C" not null,
  line text collate "C" not null,
  svc_shipment_id text collate "C" not null,
  assigned_quantity double precision not null check (assigned_quantity > 0),
  shipped_order_lines text not null,
  revision bigint not null,
  primary key (account_id, reference, line, svc_shipment_id),
  -- Deferred: an import stores in one transaction, in the order that renders every body once.
  foreign key (account_id, reference) references purchase_orders deferrable initially deferred,
  foreign key (account_id, svc_shipment_id) references shipments deferrable initially deferred
);
create index assignments_by_shipment on assignments (account_id, svc_shipment_id);

create table idempotency_keys (
  account_id integer not null,
  key text collate "C" not null,
  request_hash text collate "C" not null,
  status smallint not null,
  body text not null,
  created_at timestamptz not null default now(),
  primary key (account_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (account_id, created_at);
`
