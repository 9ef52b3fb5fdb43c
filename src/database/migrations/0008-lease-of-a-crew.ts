/**
 * The workers of one service share the reading lease: their connection names have the first 24 characters in common, and
 * they notify each other of writes.
 */
export const leaseOfACrew = `
create or replace function outlast_reading_lease() returns trigger language plpgsql as $$
declare
  longest constant interval := '500 milliseconds';
  own constant text := left(current_setting('application_name'), 24);
  rest interval;
begin
  perform from reading_lease where until > clock_timestamp() and left(holder, 24) <> own;
  if not found then return null; end if;
  -- Nobody is granted it, or more of it, from here on. Each look is a new one: writers read what is committed.
  perform pg_advisory_xact_lock_shared(7219402119);
  select until - clock_timestamp() into rest from reading_lease
  where until > clock_timestamp() and left(holder, 24) <> own;
  if not found then return null; end if;
  perform pg_sleep(extract(epoch from least(rest, longest)));
  if rest > longest then
    -- Whoever holds the row renews it just now, or does the same as we do.
    delete from reading_lease where ctid in (
      select ctid from reading_lease where until > clock_timestamp() + longest for update skip locked);
  end if;
  return null;
end
$$;
`
