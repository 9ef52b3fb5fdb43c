/** Links by which people without an account follow one shipment. Only the hash of a token is stored. */
export const sharedLinks = `
create table shared_links (
  account_id integer not null references accounts,
  link_id text collate "C" not null,
  hash bytea not null unique,
  svc_shipment_id text collate "C" not null,
  name text,
  documents uuid[] not null,
  prices boolean not null,
  parties boolean not null,
  created_at timestamptz not null default now(),
  created_by text not null,
  created_by_name text,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  last_viewed_at timestamptz,
  views integer not null default 0,
  primary key (account_id, link_id)
);
create index shared_links_by_shipment on shared_links (account_id, svc_shipment_id);
`
