/** What needs somebody's attention, and how far its evaluation has come. */
export const exceptions = `
create table exceptions (
  account_id integer not null,
  exception_id text collate "C" not null,
  thread text collate "C" not null,
  episode integer not null,
  kind text collate "C" not null,
  severity text collate "C" not null,
  state text collate "C" not null,
  visible boolean not null,
  svc_shipment_id text collate "C",
  reference text collate "C",
  invoice text collate "C",
  orders text[] collate "C" not null default '{}',
  owner text collate "C",
  newest_first bigint not null,
  revision bigint not null,
  body text not null,
  primary key (account_id, exception_id)
);
create index exceptions_newest_first on exceptions (account_id, newest_first, exception_id);
create index exceptions_open on exceptions (newest_first, account_id, exception_id) where state <> 'closed';
create index exceptions_over_accounts on exceptions (newest_first, account_id, exception_id);
create index exceptions_by_thread on exceptions (account_id, thread, episode);
create index exceptions_by_shipment on exceptions (account_id, svc_shipment_id) where svc_shipment_id is not null;
create index exceptions_by_reference on exceptions (account_id, reference) where reference is not null;
create index exceptions_by_invoice on exceptions (account_id, invoice) where invoice is not null;
create index exceptions_by_order on exceptions using gin (orders);

alter table accounts add column exception_revision bigint not null default 0;

create table exception_watches (
  account_id integer not null,
  kind text collate "C" not null,
  id text collate "C" not null,
  check_at timestamptz,
  is_known boolean not null default false,
  memory text,
  primary key (account_id, kind, id)
);
create index exception_watches_due on exception_watches (account_id, check_at) where check_at is not null;

create table exception_state (
  account_id integer primary key references accounts,
  revision bigint not null,
  watched_since timestamptz not null,
  kind text collate "C",
  id text collate "C",
  rules text not null default ''
);

create table exception_rules (
  account_id integer primary key,
  rules text not null,
  changed_at timestamptz not null default now(),
  changed_by text not null
);
`
