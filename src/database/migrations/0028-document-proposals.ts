/**
 * Documents that customers and their suppliers propose, the links by which suppliers do, and documents that the forwarder
 * does without. The content of a proposal is stored like that of a document.
 */
export const documentProposals = `
create table document_proposals (
  account_id integer not null references accounts,
  id uuid not null,
  svc_shipment_id text collate "C",
  link_id text collate "C",
  state text collate "C" not null check (state in ('proposed', 'accepted', 'returned')),
  proposed_at timestamptz not null,
  content_hash text collate "C" not null,
  record text not null,
  primary key (account_id, id)
);
create index document_proposals_newest on document_proposals (account_id, proposed_at desc, id desc);
create index document_proposals_all on document_proposals (proposed_at desc, id desc);
create index document_proposals_open on document_proposals (proposed_at desc, id desc) where state = 'proposed';
create index document_proposals_of_account_open on document_proposals (account_id) where state = 'proposed';
create index document_proposals_by_shipment on document_proposals (account_id, svc_shipment_id);

create table supplier_links (
  account_id integer not null references accounts,
  link_id text collate "C" not null,
  hash bytea not null unique,
  svc_shipment_id text collate "C" not null,
  supplier text not null,
  email text,
  language text collate "C" not null,
  created_at timestamptz not null default now(),
  created_by text not null,
  created_by_name text,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  last_opened_at timestamptz,
  uploads integer not null default 0,
  primary key (account_id, link_id)
);
create index supplier_links_by_shipment on supplier_links (account_id, svc_shipment_id);

create table document_waivers (
  account_id integer not null references accounts,
  svc_shipment_id text collate "C" not null,
  type text collate "C" not null,
  reason text not null,
  waived_at timestamptz not null,
  primary key (account_id, svc_shipment_id, type)
);
`
