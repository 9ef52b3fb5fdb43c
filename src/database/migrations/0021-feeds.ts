/**
 * Feeds: connections by which carriers send us events, or from which we fetch them, with the progress of fetching. Their
 * secrets are encrypted with a key derived from the secret of the service, and are left out of backups.
 */
export const feeds = `
create table feeds (
  feed_id text collate "C" primary key,
  sender text collate "C" not null,
  channel text collate "C" not null check (channel in ('push', 'pull')),
  format text collate "C" not null,
  created_at timestamptz not null default now(),
  paused boolean not null default false,
  refused bigint not null default 0,
  last_refused_at timestamptz,
  url text,
  key_header text,
  interval_seconds integer,
  since timestamptz,
  newest timestamptz,
  cursor text,
  failures integer not null default 0,
  error text,
  last_attempt_at timestamptz,
  last_success_at timestamptz,
  caught_up_at timestamptz,
  next_attempt_at timestamptz,
  lease text,
  leased_until timestamptz
);

create table feed_secrets (
  feed_id text collate "C" not null references feeds on delete cascade,
  secret_id bigint generated always as identity,
  secret text not null,
  created_at timestamptz not null default now(),
  until timestamptz,
  primary key (feed_id, secret_id)
);

alter table messages add column feed_id text collate "C";
create index messages_by_feed on messages (feed_id, message_id) where feed_id is not null;
`
