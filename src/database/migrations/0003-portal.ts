/** The portal: people, sessions, saved views, the request log of keys, and the search tables. */
export const portal = `
create table people (
  account_id integer not null references accounts,
  person_id text collate "C" not null,
  email text not null,
  name text not null,
  role text not null check (role in ('admin', 'member', 'viewer')),
  -- argon2id; null: somebody who was invited, or who signs in with the company's provider.
  password_hash text,
  language text not null default 'en',
  time_zone text not null default 'UTC',
  weight_unit text not null default 'kg',
  theme text not null default 'system',
  created_at timestamptz not null default now(),
  last_seen_at timestamptz,
  disabled_at timestamptz,
  primary key (account_id, person_id)
);
-- An address belongs to one person, however it is written.
create unique index people_by_email on people (lower(email));

create table sessions (
  account_id integer not null,
  person_id text collate "C" not null,
  hash bytea not null unique,
  signed_in_with text not null check (signed_in_with in ('password', 'provider', 'demo')),
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (account_id, person_id, hash),
  foreign key (account_id, person_id) references people on delete cascade
);
create index sessions_by_end on sessions (expires_at);

-- Links from mails, by which somebody chooses a password. One for a person and purpose: the newest.
create table personal_links (
  account_id integer not null,
  person_id text collate "C" not null,
  hash bytea not null unique,
  purpose text collate "C" not null check (purpose in ('invitation', 'reset')),
  expires_at timestamptz not null,
  primary key (account_id, person_id, purpose),
  foreign key (account_id, person_id) references people on delete cascade
);

-- By a hash of what was tried, an address of a person or of a machine: nothing shows whether it is known.
create table sign_in_failures (
  subject bytea primary key,
  failures integer not null,
  last_at timestamptz not null
);
create index sign_in_failures_by_age on sign_in_failures (last_at);

create table saved_views (
  account_id integer not null,
  person_id text collate "C" not null,
  view_id text collate "C" not null,
  page text not null,
  name text not null,
  query text not null,
  primary key (account_id, person_id, view_id),
  foreign key (account_id, person_id) references people on delete cascade
);

-- Written in bulk, a little later, and not worth a log of its own: a crash may take the last of it.
create unlogged table requests (
  account_id integer not null,
  key_id text collate "C" not null,
  at timestamptz not null,
  request_id text collate "C" not null,
  method text not null,
  path text not null,
  status smallint not null,
  duration_ms real not null,
  primary key (account_id, at, request_id)
);
create index requests_by_key on requests (account_id, key_id, at, request_id);
create index requests_refused on requests (account_id, at, request_id) where status >= 400;
create index requests_by_age on requests using brin (at);

create unlogged table key_uses (
  account_id integer not null,
  key_id text collate "C" not null,
  last_used_at timestamptz not null,
  primary key (account_id, key_id)
);

-- What is searched and sorted by follows from the bodies. It is brought up to an account's revision from the change log:
-- beside the writes, which need not wait for it, and by whoever searches, who must not miss anything. Unlogged: what a
-- crash takes is made again, and neither a backup nor a replica has to carry it.
create unlogged table search_state (
  account_id integer primary key references accounts,
  revision bigint not null,
  -- How far the first look at everything has got; null when it is done.
  kind text collate "C",
  id text collate "C"
);

-- The words of everything. Each begins with its account and kind ("7s/word"), so that one index holds them apart. It is
-- written when words change, not with every date that moves; whatever waits to be sorted into it is read by every search.
create unlogged table search_texts (
  account_id integer not null,
  kind text collate "C" not null,
  id text collate "C" not null,
  words tsvector not null,
  primary key (account_id, kind, id)
);
create index search_texts_words on search_texts using gin (words) with (gin_pending_list_limit = 256);

-- Whatever the planner takes the words for: the index is read, and so many rows.
create function search_found(query tsquery, most integer) returns setof text
  language sql stable
  set enable_seqscan = off
  set enable_indexscan = off
  as $$ select id from search_texts where words @@ query limit most $$;

-- How many there are of each, so that nobody has to count them.
create unlogged table search_counts (
  account_id integer not null,
  kind text collate "C" not null,
  facet text collate "C" not null,
  value text collate "C" not null,
  count integer not null,
  primary key (account_id, kind, facet, value)
);
create index search_counts_largest on search_counts (account_id, kind, facet, count desc, value);

create unlogged table shipment_search (
  account_id integer not null,
  svc_shipment_id text collate "C" not null,
  newest_first bigint not null,
  -- The name without case and accents, and cut: what it is sorted by.
  name_key text collate "C",
  status text collate "C",
  freight_mode text collate "C",
  origin text collate "C",
  destination text collate "C",
  departs_on date,
  arrives_on date,
  delivered_on date,
  -- By how many days it comes after its desired delivery date, as far as is known; below zero: before.
  late_days integer,
  -- Until it is delivered: minus the days from 1970 to the desired date. With those to today it is what it is late by.
  overdue_since integer,
  words tsvector not null,
  primary key (account_id, svc_shipment_id)
);
create index shipment_search_newest on shipment_search (account_id, newest_first, svc_shipment_id);
create index shipment_search_by_status on shipment_search (account_id, status, svc_shipment_id);
create index shipment_search_by_mode on shipment_search (account_id, freight_mode, svc_shipment_id);
create index shipment_search_by_origin on shipment_search (account_id, origin, svc_shipment_id);
create index shipment_search_by_destination on shipment_search (account_id, destination, svc_shipment_id);
create index shipment_search_by_name on shipment_search (account_id, name_key, svc_shipment_id);
create index shipment_search_by_departure on shipment_search (account_id, departs_on, svc_shipment_id);
create index shipment_search_by_arrival on shipment_search (account_id, arrives_on, svc_shipment_id);
create index shipment_search_by_delivery on shipment_search (account_id, delivered_on, svc_shipment_id);
create index shipment_search_by_lateness on shipment_search (account_id, late_days, svc_shipment_id);
create index shipment_search_overdue on shipment_search (account_id, overdue_since, svc_shipment_id);
create index shipment_search_expected_late on shipment_search (account_id, late_days, overdue_since, svc_shipment_id)
  where late_days > 0 and overdue_since is not null;

create unlogged table purchase_order_search (
  account_id integer not null,
  reference text collate "C" not null,
  newest_first bigint not null,
  supplier_key text collate "C",
  state text collate "C" not null check (state in ('open', 'partly_assigned', 'assigned', 'shipped')),
  ex_factory_on date,
  delivery_on date,
  words tsvector not null,
  primary key (account_id, reference)
);
create index purchase_order_search_newest on purchase_order_search (account_id, newest_first, reference);
create index purchase_order_search_by_state on purchase_order_search (account_id, state, reference);
create index purchase_order_search_wanted on purchase_order_search (account_id, state, ex_factory_on, reference);
create index purchase_order_search_by_supplier on purchase_order_search (account_id, supplier_key, reference);
create index purchase_order_search_by_ex_factory on purchase_order_search (account_id, ex_factory_on, reference);
create index purchase_order_search_by_delivery on purchase_order_search (account_id, delivery_on, reference);

create unlogged table invoice_search (
  account_id integer not null,
  reference text collate "C" not null,
  newest_first bigint not null,
  number text collate "C",
  type text collate "C",
  status text collate "C",
  due_on date,
  is_open boolean not null,
  currencies text[] not null,
  words tsvector not null,
  primary key (account_id, reference)
);
create index invoice_search_newest on invoice_search (account_id, newest_first, reference);
create index invoice_search_by_due on invoice_search (account_id, due_on, reference);
create index invoice_search_by_number on invoice_search (account_id, number, reference);
create index invoice_search_open on invoice_search (account_id, due_on, reference) where is_open;
create index invoice_search_by_status on invoice_search (account_id, status, reference);
create index invoice_search_by_openness on invoice_search (account_id, is_open, reference);

create unlogged table document_search (
  account_id integer not null,
  id uuid not null,
  newest_first bigint not null,
  type text collate "C",
  svc_shipment_id text collate "C",
  words tsvector not null,
  primary key (account_id, id)
);
create index document_search_newest on document_search (account_id, newest_first, id);
create index document_search_by_type on document_search (account_id, type, id);
create index document_search_by_shipment on document_search (account_id, svc_shipment_id, id);

-- Words are looked up in one way only: nothing that could be learned of them is worth the time.
alter table search_texts alter column words set statistics 0;
alter table shipment_search alter column words set statistics 0;
alter table purchase_order_search alter column words set statistics 0;
alter table invoice_search alter column words set statistics 0;
alter table document_search alter column words set statistics 0;
`
