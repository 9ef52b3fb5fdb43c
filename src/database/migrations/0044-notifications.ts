/** Subscriptions of people, their notifications, and how far the change log was read for them. */
export const notifications = `
create table subscriptions (
  account_id integer not null,
  subscription_id text collate "C" not null,
  person_id text collate "C" not null,
  scope text collate "C" not null,
  -- A view, a shipment or an order; null for everything.
  scope_id text collate "C",
  exceptions text[] not null,
  changes text[] not null,
  delivery text collate "C" not null,
  -- Only what changes after this revision is reported.
  after_revision bigint not null,
  created_at timestamptz not null default now(),
  primary key (account_id, subscription_id),
  foreign key (account_id, person_id) references people on delete cascade
);
create index subscriptions_by_person on subscriptions (account_id, person_id);

create table notification_settings (
  account_id integer not null,
  person_id text collate "C" not null,
  -- Local times, such as 22:00; null without quiet hours.
  quiet_from text,
  quiet_to text,
  digest_time text not null,
  digest_weekday integer not null,
  primary key (account_id, person_id),
  foreign key (account_id, person_id) references people on delete cascade
);

create table notification_state (
  account_id integer primary key references accounts,
  revision bigint not null,
  kind text collate "C" not null,
  id text collate "C" not null
);

create table notifications (
  account_id integer not null,
  notification_id bigint generated always as identity,
  person_id text collate "C" not null,
  -- What it is about: nobody is notified of the same twice.
  key text collate "C" not null,
  subscription_id text collate "C",
  delivery text collate "C" not null,
  type text collate "C" not null,
  exception_id text collate "C",
  content text not null,
  created_at timestamptz not null,
  read_at timestamptz,
  -- Null once it was mailed, or if it will not be.
  mail_at timestamptz,
  primary key (account_id, notification_id),
  unique (account_id, person_id, key),
  foreign key (account_id, person_id) references people on delete cascade
);
create index notifications_newest on notifications (account_id, person_id, notification_id);
create index notifications_unread on notifications (account_id, person_id) where read_at is null;
create index notifications_due on notifications (mail_at) where mail_at is not null;
create index notifications_old on notifications (created_at);
`
