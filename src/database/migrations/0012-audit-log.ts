/** Who did what, when and from where, for each account and for the forwarder (account 0). */
export const auditLog = `
create table audit_log (
  account_id integer not null,
  at timestamptz not null default clock_timestamp(),
  entry_id text collate "C" not null,
  kind text collate "C" not null,
  action text collate "C" not null,
  actor text collate "C" not null,
  actor_name text,
  address text,
  subject text,
  details jsonb not null default '{}',
  primary key (account_id, at, entry_id)
);
create index audit_log_by_kind on audit_log (account_id, kind, at, entry_id);
create index audit_log_by_actor on audit_log (account_id, actor, at, entry_id);
create index audit_log_by_age on audit_log using brin (at);

-- Entries cannot be changed, and are deleted only when they are older than the retention, which the deleting transaction states.
create function keep_audit_log() returns trigger
  language plpgsql
  as $$
begin
  if tg_op = 'DELETE' and old.at < now() - (nullif(current_setting('waybill.audit_retention', true), ''))::interval then
    return old;
  end if;
  raise exception 'the audit log cannot be changed';
end
$$;
create trigger keep_audit_log before update or delete on audit_log for each row execute function keep_audit_log();
`
