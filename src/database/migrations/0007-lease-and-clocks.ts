/**
 * A reading lease lasts half a second. If one appears to last longer, the database clock was set back: wait for half a second,
 * then ignore it.
 */
export const leaseAndClocks = `
create or replace function outlast_reading_lease() returns trigger language plpgsql as $$
declare
  longest constant interval := '500 milliseconds';
  rest interval;
begin
  perform from reading_lease where until > clock_timestamp() and holder <> current_setting('application_name');
  if not found then return null; end if;
  -- Nobody is granted it, or more of it, from here on. Each look is a new one: writers read what is committed.
  perform pg_advisory_xact_lock_shared(7219402119);
  select until - clock_timestamp() into rest from reading_lease
  where until > clock_timestamp() and holder <> current_setting('application_name');
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
