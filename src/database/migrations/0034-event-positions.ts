/**
 * The order in which the feed over all accounts found their revisions. Revisions are ordered within an account only, so
 * somebody has to count them; the feed begins with what happens after this migration.
 */
export const eventPositions = `
create table event_positions (
  account_id integer not null references accounts,
  position bigint not null,
  after_revision bigint not null,
  revision bigint not null,
  at timestamptz not null default now(),
  primary key (account_id, position)
);
create unique index event_positions_in_order on event_positions (position);
insert into event_positions (account_id, position, after_revision, revision)
select account_id, row_number() over (order by account_id), revision, revision from accounts where account_id <> 0;
`
