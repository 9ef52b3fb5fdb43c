-- What the migrations come to. Written by `UPDATE_SCHEMA=1 npx vitest run test/schema.test.ts`.

CREATE OR REPLACE FUNCTION public.newest_first(at timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (- ((EXTRACT(epoch FROM at) * (1000000)::numeric))::bigint);

create table accounts (
  account_id integer not null generated always as identity,
  slug text collate "C" not null,
  name text not null,
  created_at timestamp with time zone not null default now(),
  revision bigint not null default 0,
  shipment_revision bigint not null default 0,
  purchase_order_revision bigint not null default 0,
  location_revision bigint not null default 0,
  invoice_revision bigint not null default 0,
  tracking_revision bigint not null default 0,
  document_revision bigint not null default 0,
  suspended_at timestamp with time zone,
  changed_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  constraint accounts_pkey PRIMARY KEY (account_id),
  constraint accounts_slug_key UNIQUE (slug)
) with (fillfactor=50);

create table assignments (
  account_id integer not null,
  reference text collate "C" not null,
  line text collate "C" not null,
  svc_shipment_id text collate "C" not null,
  assigned_quantity double precision not null,
  shipped_order_lines text not null,
  revision bigint not null,
  constraint assignments_pkey PRIMARY KEY (account_id, reference, line, svc_shipment_id),
  constraint assignments_account_id_reference_fkey FOREIGN KEY (account_id, reference) REFERENCES purchase_orders(account_id, reference) DEFERRABLE INITIALLY DEFERRED,
  constraint assignments_account_id_svc_shipment_id_fkey FOREIGN KEY (account_id, svc_shipment_id) REFERENCES shipments(account_id, svc_shipment_id) DEFERRABLE INITIALLY DEFERRED,
  constraint assignments_assigned_quantity_check CHECK ((assigned_quantity > (0)::double precision))
);
CREATE INDEX assignments_by_shipment ON public.assignments USING btree (account_id, svc_shipment_id);

create table changes (
  account_id integer not null,
  kind text collate "C" not null,
  id text collate "C" not null,
  revision bigint not null,
  at timestamp with time zone not null default now(),
  author text not null,
  what text not null,
  record text,
  reason text,
  constraint changes_pkey PRIMARY KEY (account_id, kind, id, revision),
  constraint changes_record_check CHECK (((record IS NULL) = (what = ANY (ARRAY['removed'::text, 'derived'::text])))),
  constraint changes_what_check CHECK ((what = ANY (ARRAY['created'::text, 'updated'::text, 'corrected'::text, 'removed'::text, 'derived'::text])))
);
CREATE INDEX changes_by_revision ON public.changes USING btree (account_id, revision);

create table documents (
  account_id integer not null,
  id uuid not null,
  svc_shipment_id text collate "C",
  type text,
  name text not null,
  content_hash text collate "C" not null,
  newest_first bigint not null,
  revision bigint not null,
  body text not null,
  constraint documents_pkey PRIMARY KEY (account_id, id)
);
CREATE INDEX documents_by_shipment ON public.documents USING btree (account_id, svc_shipment_id, newest_first, id);
CREATE INDEX documents_newest_first ON public.documents USING btree (account_id, newest_first, id);

create table idempotency_keys (
  account_id integer not null,
  key text collate "C" not null,
  request_hash text collate "C" not null,
  status smallint not null,
  body text not null,
  created_at timestamp with time zone not null default now(),
  constraint idempotency_keys_pkey PRIMARY KEY (account_id, key)
);
CREATE INDEX idempotency_keys_by_age ON public.idempotency_keys USING btree (account_id, created_at);

create table invoices (
  account_id integer not null,
  reference text collate "C" not null,
  number text collate "C",
  svc_shipment_id text collate "C",
  type text,
  status text,
  newest_first bigint not null,
  revision bigint not null,
  body text not null,
  draft boolean not null default false,
  credited_invoice text collate "C",
  constraint invoices_pkey PRIMARY KEY (account_id, reference)
) with (toast_tuple_target=8160);
CREATE INDEX invoices_by_credited_invoice ON public.invoices USING btree (account_id, credited_invoice) WHERE (credited_invoice IS NOT NULL);
CREATE INDEX invoices_by_number ON public.invoices USING btree (account_id, number);
CREATE INDEX invoices_by_shipment ON public.invoices USING btree (account_id, svc_shipment_id);
CREATE INDEX invoices_newest_first ON public.invoices USING btree (account_id, newest_first, reference);

create table keys (
  account_id integer not null,
  key_id text collate "C" not null,
  hash bytea not null,
  hint text not null,
  name text,
  scopes text[] not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint keys_pkey PRIMARY KEY (account_id, key_id),
  constraint keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  constraint keys_hash_key UNIQUE (hash)
);

create table locations (
  account_id integer not null,
  location_id bigint not null,
  revision bigint not null,
  body text not null,
  retired boolean not null default false,
  constraint locations_pkey PRIMARY KEY (account_id, location_id)
);

create table number_series (
  series text collate "C" not null,
  year integer not null,
  last integer not null,
  constraint number_series_pkey PRIMARY KEY (series, year)
);

create table operators (
  operator_id text collate "C" not null,
  hash bytea not null,
  hint text not null,
  name text not null,
  role text not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint operators_pkey PRIMARY KEY (operator_id),
  constraint operators_hash_key UNIQUE (hash),
  constraint operators_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'operations'::text, 'finance'::text, 'viewer'::text])))
);

create table payments (
  account_id integer not null,
  payment_id text collate "C" not null,
  reference text collate "C" not null,
  record text not null,
  revision bigint not null,
  constraint payments_pkey PRIMARY KEY (account_id, payment_id),
  constraint payments_account_id_reference_fkey FOREIGN KEY (account_id, reference) REFERENCES invoices(account_id, reference) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX payments_by_invoice ON public.payments USING btree (account_id, reference);

create table purchase_orders (
  account_id integer not null,
  reference text collate "C" not null,
  newest_first bigint not null,
  revision bigint not null,
  body text not null,
  constraint purchase_orders_pkey PRIMARY KEY (account_id, reference)
) with (toast_tuple_target=8160);
CREATE INDEX purchase_orders_newest_first ON public.purchase_orders USING btree (account_id, newest_first, reference);

create table schema_migrations (
  version integer not null,
  name text not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_migrations_pkey PRIMARY KEY (version)
);

create table service (
  only_row boolean not null default true,
  epoch text not null default (gen_random_uuid())::text,
  link_secret text not null,
  constraint service_pkey PRIMARY KEY (only_row),
  constraint service_only_row_check CHECK (only_row)
);

create table shipments (
  account_id integer not null,
  svc_shipment_id text collate "C" not null,
  newest_first bigint not null,
  status text,
  revision bigint not null,
  body text not null,
  constraint shipments_pkey PRIMARY KEY (account_id, svc_shipment_id)
) with (toast_tuple_target=8160);
CREATE INDEX shipments_newest_first ON public.shipments USING btree (account_id, newest_first, svc_shipment_id);

create table tracking (
  account_id integer not null,
  svc_shipment_id text collate "C" not null,
  main_tracking_dates text not null,
  revision bigint not null,
  body text not null,
  constraint tracking_pkey PRIMARY KEY (account_id, svc_shipment_id)
) with (toast_tuple_target=8160);

create table tracking_entries (
  account_id integer not null,
  svc_shipment_id text collate "C" not null,
  kind text collate "C" not null,
  entry_id text collate "C" not null,
  sequence integer not null,
  record text not null,
  revision bigint not null,
  constraint tracking_entries_pkey PRIMARY KEY (account_id, svc_shipment_id, kind, entry_id),
  constraint tracking_entries_account_id_svc_shipment_id_fkey FOREIGN KEY (account_id, svc_shipment_id) REFERENCES tracking(account_id, svc_shipment_id) DEFERRABLE INITIALLY DEFERRED,
  constraint tracking_entries_kind_check CHECK ((kind = ANY (ARRAY['tracking_event'::text, 'tracking_position'::text])))
);
