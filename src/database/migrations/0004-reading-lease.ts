/**
 * Reading lease: while a process holds it, commits of other processes wait in a trigger, so that the holder can serve cached
 * responses without revalidating. Removed by 0009.
 */
export const readingLease = `
create table reading_lease (
  only_row boolean primary key default true check (only_row),
  -- The application_name of its connections.
  holder text not null,
  until timestamptz not null
);

-- After the statement: by then the transaction has a number, so that a holder who comes later sees that it is under way.
-- The lock tells the holder that somebody waits. Each look is a new one: writers read what is committed.
create function outlast_reading_lease() returns trigger language plpgsql as $$
declare
  rest interval;
begin
  loop
    select until - clock_timestamp() into rest from reading_lease
    where until > clock_timestamp() and holder <> current_setting('application_name');
    exit when not found;
    perform pg_advisory_xact_lock_shared(7219402119);
    perform pg_sleep(extract(epoch from rest));
  end loop;
  return null;
end
$$;

create trigger outlast_reading_lease after insert or update or delete or truncate on accounts
  for each statement execute function outlast_reading_lease();
create trigger outlast_reading_lease after insert or update or delete or truncate on service
  for each statement execute function outlast_reading_lease();
`
