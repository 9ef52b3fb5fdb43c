/** The operator interface: operators, drafts, payments, incremental tracking. */
export const forwarder = `
alter table accounts
  add column suspended_at timestamptz,
  -- When its newest revision was made: times in the change log follow revisions, whatever the clock does.
  add column changed_at timestamptz not null default '-infinity';

create table operators (
  operator_id text collate "C" primary key,
  hash bytea not null unique,
  hint text not null,
  name text not null,
  role text not null check (role in ('admin', 'operations', 'finance', 'viewer')),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz
);

-- A removal has no record, an explicit correction is distinct from an update, and either may have its reason.
alter table changes
  drop constraint changes_what_check,
  drop constraint changes_check,
  add column reason text,
  add constraint changes_what_check check (what in ('created', 'updated', 'corrected', 'removed', 'derived')),
  add constraint changes_record_check check ((record is null) = (what in ('removed', 'derived')));

-- Out of the account's list, but still found by its identifier.
alter table locations add column retired boolean not null default false;

-- A draft is the forwarder's alone until it is issued.
alter table invoices
  add column draft boolean not null default false,
  add column credited_invoice text collate "C";
create index invoices_by_credited_invoice on invoices (account_id, credited_invoice)
  where credited_invoice is not null;

create table payments (
  account_id integer not null,
  payment_id text collate "C" not null,
  reference text collate "C" not null,
  record text not null,
  revision bigint not null,
  primary key (account_id, payment_id),
  foreign key (account_id, reference) references invoices deferrable initially deferred
);
create index payments_by_invoice on payments (account_id, reference);

-- Numbers without gaps: taken in the transaction that uses them.
create table number_series (
  series text collate "C" not null,
  year integer not null,
  last integer not null,
  primary key (series, year)
);
-- Behind the numbers of this form that were imported before there were series.
insert into number_series (series, year, last)
select parts[1], parts[2]::integer, max(parts[3]::integer)
from invoices
cross join lateral regexp_match(number, '^(INV|CN)-([0-9]{4})-([0-9]{6}|[1-9][0-9]{6,8})$') as matched (parts)
where parts is not null
group by parts[1], parts[2];

-- Events and positions that were reported one by one, beside those that came with the whole tracking.
create table tracking_entries (
  account_id integer not null,
  svc_shipment_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('tracking_event', 'tracking_position')),
  entry_id text collate "C" not null,
  sequence integer not null,
  record text not null,
  revision bigint not null,
  primary key (account_id, svc_shipment_id, kind, entry_id),
  foreign key (account_id, svc_shipment_id) references tracking deferrable initially deferred
);
`
