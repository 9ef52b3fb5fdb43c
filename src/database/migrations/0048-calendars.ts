/**
 * Calendars of dates of shipments that people subscribe to by a secret address, of which only the hash is stored. The entries are
 * stored as they were last sent: a change raises the sequence of an entry, and one that is gone is sent as cancelled.
 */
export const calendars = `
create table calendars (
  account_id integer not null,
  calendar_id text collate "C" not null,
  person_id text collate "C" not null,
  hash bytea not null unique,
  name text not null,
  view_id text collate "C",
  created_at timestamptz not null default now(),
  last_read_at timestamptz,
  primary key (account_id, calendar_id),
  foreign key (account_id, person_id) references people (account_id, person_id) on delete cascade,
  foreign key (account_id, person_id, view_id) references saved_views (account_id, person_id, view_id) on delete cascade
);
create index calendars_by_person on calendars (account_id, person_id);

create table calendar_entries (
  account_id integer not null,
  calendar_id text collate "C" not null,
  entry_id text collate "C" not null,
  day date not null,
  content text not null,
  sequence integer not null,
  changed_at timestamptz not null,
  is_cancelled boolean not null,
  primary key (account_id, calendar_id, entry_id),
  foreign key (account_id, calendar_id) references calendars (account_id, calendar_id) on delete cascade
);
`
