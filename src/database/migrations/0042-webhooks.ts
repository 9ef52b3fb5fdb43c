/**
 * Endpoints of customers' systems that changes are sent to. Each has its position in the change log of its account; what was
 * sent, and what has to be sent again, are deliveries. Secrets are encrypted: signatures are computed with them.
 */
export const webhooks = `
create table webhooks (
  account_id integer not null references accounts,
  webhook_id text collate "C" not null,
  url text not null,
  -- Empty: all.
  types text[] not null,
  kinds text[] not null,
  description text,
  ordered boolean not null,
  state text not null default 'active' check (state in ('active', 'paused', 'disabled')),
  disabled_reason text,
  created_at timestamptz not null default now(),
  created_by text not null,
  created_by_name text,
  -- Changes up to this one were sent, or are deliveries.
  revision bigint not null,
  kind text collate "C" not null,
  id text collate "C" not null,
  -- Since the last success.
  failures integer not null default 0,
  failing_since timestamptz,
  last_success_at timestamptz,
  -- The next attempt of a delivery that waits; null if there is none.
  due_at timestamptz,
  -- Whether new changes have to wait until deliveries have succeeded.
  held boolean not null default false,
  -- Whether somebody asked for a delivery meanwhile.
  nudged boolean not null default false,
  lease uuid,
  leased_until timestamptz,
  primary key (account_id, webhook_id)
);
create table webhook_secrets (
  account_id integer not null,
  webhook_id text collate "C" not null,
  secret_id bigint generated always as identity,
  secret text not null,
  created_at timestamptz not null default now(),
  -- When it ends; null: it is the newest one.
  until timestamptz,
  primary key (account_id, webhook_id, secret_id),
  foreign key (account_id, webhook_id) references webhooks on delete cascade
);
create table webhook_deliveries (
  account_id integer not null,
  webhook_id text collate "C" not null,
  delivery_id text collate "C" not null,
  number bigint generated always as identity,
  event_id text collate "C" not null,
  type text not null,
  content text not null,
  state text not null check (state in ('waiting', 'delivered', 'failed', 'dropped')),
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  -- The last attempt and the response to it.
  attempted_at timestamptz,
  url text,
  status integer,
  milliseconds integer,
  answer text,
  error text,
  primary key (account_id, webhook_id, delivery_id),
  foreign key (account_id, webhook_id) references webhooks on delete cascade
);
create index webhook_deliveries_newest on webhook_deliveries (account_id, webhook_id, number desc);
create index webhook_deliveries_waiting on webhook_deliveries (account_id, webhook_id, number) where state = 'waiting';
create index webhook_deliveries_old on webhook_deliveries (created_at) where state <> 'waiting';
`
