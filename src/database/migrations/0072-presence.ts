/** Which operators have a shipment open, by tab of their browser: a lease that each tab renews every few seconds. */
export const presence = `
create unlogged table presence (
  account_id integer not null,
  svc_shipment_id text collate "C" not null,
  tab text collate "C" not null,
  operator_id text collate "C" not null,
  name text not null,
  editing text collate "C",
  since timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  primary key (account_id, svc_shipment_id, tab)
);
`
