/**
 * Who looks after what waits for the forwarder, and until when it is put aside. What belongs to no account has account 0, of which
 * there is no row.
 */
export const workItems = `
create table work_items (
  account_id integer not null,
  kind text collate "C" not null,
  item text collate "C" not null,
  owner text,
  snoozed_until timestamptz,
  changed_by text collate "C" not null,
  changed_at timestamptz not null,
  primary key (account_id, kind, item)
);
`
