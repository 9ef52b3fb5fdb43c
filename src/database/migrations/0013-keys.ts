/** Makers, owners and networks of keys, their rotation, and the longest time that keys of an account may work. */
export const keys = `
alter table keys
  add column created_by text collate "C",
  add column created_by_name text,
  -- Who is responsible for the key: its maker, or the admin whom it was handed over to.
  add column owner text collate "C",
  -- Networks (CIDR) that the key works from; null: any.
  add column networks text[],
  -- The key that this one replaces, which works until it expires.
  add column replaces text collate "C";

update keys set created_by = author, owner = author
from changes
where changes.account_id = keys.account_id and changes.kind = 'key' and changes.id = keys.key_id and changes.what = 'created';

alter table accounts add column max_key_days integer;
`
