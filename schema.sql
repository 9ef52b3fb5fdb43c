-- What the migrations come to. Written by `UPDATE_SCHEMA=1 npx vitest run test/schema.test.ts`.

CREATE OR REPLACE FUNCTION public.keep_audit_log()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' and old.at < now() - (nullif(current_setting('waybill.audit_retention', true), ''))::interval then
    return old;
  end if;
  raise exception 'the audit log cannot be changed';
end
$function$;

CREATE OR REPLACE FUNCTION public.newest_first(at timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (- ((EXTRACT(epoch FROM at) * (1000000)::numeric))::bigint);

CREATE OR REPLACE FUNCTION public.search_found(query tsquery, most integer)
 RETURNS SETOF text
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_indexscan TO 'off'
AS $function$ select id from search_texts where words @@ query limit most $function$;

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
  quotas jsonb not null default '{}'::jsonb,
  stored_bytes bigint not null default 0,
  max_key_days integer,
  provider_only boolean not null default false,
  second_factor_required boolean not null default false,
  tracking_rules integer not null default 9,
  over_shipment_percent double precision not null default 0,
  inbound_rules integer not null default 1,
  exception_revision bigint not null default 0,
  moved_at timestamp with time zone,
  constraint accounts_pkey PRIMARY KEY (account_id),
  constraint accounts_slug_key UNIQUE (slug)
) with (fillfactor=50);

create table arrivals (
  account_id integer not null,
  svc_shipment_id text collate "C" not null,
  revision bigint not null,
  shipment_name text,
  expected_on date,
  date_status text collate "C",
  date_of text collate "C",
  delivered boolean not null,
  cancelled boolean not null,
  location text collate "C",
  vessel text,
  constraint arrivals_pkey PRIMARY KEY (account_id, svc_shipment_id, revision)
);
CREATE INDEX arrivals_by_revision ON public.arrivals USING btree (account_id, revision);

create table assignments (
  account_id integer not null,
  reference text collate "C" not null,
  line text collate "C" not null,
  svc_shipment_id text collate "C" not null,
  assigned_quantity double precision not null,
  shipped_order_lines text not null,
  revision bigint not null,
  over_shipment_reason text,
  constraint assignments_pkey PRIMARY KEY (account_id, reference, line, svc_shipment_id),
  constraint assignments_account_id_reference_fkey FOREIGN KEY (account_id, reference) REFERENCES purchase_orders(account_id, reference) DEFERRABLE INITIALLY DEFERRED,
  constraint assignments_account_id_svc_shipment_id_fkey FOREIGN KEY (account_id, svc_shipment_id) REFERENCES shipments(account_id, svc_shipment_id) DEFERRABLE INITIALLY DEFERRED,
  constraint assignments_assigned_quantity_check CHECK ((assigned_quantity > (0)::double precision))
);
CREATE INDEX assignments_by_shipment ON public.assignments USING btree (account_id, svc_shipment_id);

create table audit_log (
  account_id integer not null,
  at timestamp with time zone not null default clock_timestamp(),
  entry_id text collate "C" not null,
  kind text collate "C" not null,
  action text collate "C" not null,
  actor text collate "C" not null,
  actor_name text,
  address text,
  subject text,
  details jsonb not null default '{}'::jsonb,
  constraint audit_log_pkey PRIMARY KEY (account_id, at, entry_id)
);
CREATE INDEX audit_log_by_actor ON public.audit_log USING btree (account_id, actor, at, entry_id);
CREATE INDEX audit_log_by_age ON public.audit_log USING brin (at);
CREATE INDEX audit_log_by_kind ON public.audit_log USING btree (account_id, kind, at, entry_id);

create table billing_settings (
  account_id integer not null,
  settings text not null,
  changed_at timestamp with time zone not null,
  changed_by text not null,
  constraint billing_settings_pkey PRIMARY KEY (account_id)
);

create table calendar_entries (
  account_id integer not null,
  calendar_id text collate "C" not null,
  entry_id text collate "C" not null,
  day date not null,
  content text not null,
  sequence integer not null,
  changed_at timestamp with time zone not null,
  is_cancelled boolean not null,
  constraint calendar_entries_pkey PRIMARY KEY (account_id, calendar_id, entry_id),
  constraint calendar_entries_account_id_calendar_id_fkey FOREIGN KEY (account_id, calendar_id) REFERENCES calendars(account_id, calendar_id) ON DELETE CASCADE
);

create table calendars (
  account_id integer not null,
  calendar_id text collate "C" not null,
  person_id text collate "C" not null,
  hash bytea not null,
  name text not null,
  view_id text collate "C",
  created_at timestamp with time zone not null default now(),
  last_read_at timestamp with time zone,
  constraint calendars_pkey PRIMARY KEY (account_id, calendar_id),
  constraint calendars_account_id_person_id_fkey FOREIGN KEY (account_id, person_id) REFERENCES people(account_id, person_id) ON DELETE CASCADE,
  constraint calendars_account_id_person_id_view_id_fkey FOREIGN KEY (account_id, person_id, view_id) REFERENCES saved_views(account_id, person_id, view_id) ON DELETE CASCADE,
  constraint calendars_hash_key UNIQUE (hash)
);
CREATE INDEX calendars_by_person ON public.calendars USING btree (account_id, person_id);

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
CREATE INDEX changes_in_order ON public.changes USING btree (account_id, revision, kind, id);

create table charge_templates (
  account_id integer not null,
  name text collate "C" not null,
  template text not null,
  changed_at timestamp with time zone not null,
  changed_by text not null,
  constraint charge_templates_pkey PRIMARY KEY (account_id, name)
);

create table conversation_messages (
  account_id integer not null,
  message_id text collate "C" not null,
  subject_kind text collate "C" not null,
  subject_id text collate "C" not null,
  sent_at timestamp with time zone not null,
  author text collate "C" not null,
  mail_hash text collate "C",
  record text not null,
  constraint conversation_messages_pkey PRIMARY KEY (account_id, message_id)
);
CREATE UNIQUE INDEX conversation_messages_by_mail ON public.conversation_messages USING btree (account_id, mail_hash) WHERE (mail_hash IS NOT NULL);
CREATE INDEX conversation_messages_by_subject ON public.conversation_messages USING btree (account_id, subject_kind, subject_id, sent_at DESC, message_id);
CREATE INDEX conversation_messages_newest ON public.conversation_messages USING btree (account_id, sent_at DESC, message_id);

create table conversation_reads (
  account_id integer not null,
  subject_kind text collate "C" not null,
  subject_id text collate "C" not null,
  person_id text collate "C" not null,
  read_at timestamp with time zone not null,
  constraint conversation_reads_pkey PRIMARY KEY (account_id, subject_kind, subject_id, person_id),
  constraint conversation_reads_account_id_person_id_fkey FOREIGN KEY (account_id, person_id) REFERENCES people(account_id, person_id) ON DELETE CASCADE
);

create table conversations (
  account_id integer not null,
  subject_kind text collate "C" not null,
  subject_id text collate "C" not null,
  messages integer not null,
  last_at timestamp with time zone not null,
  last_message text collate "C" not null,
  unanswered_since timestamp with time zone,
  constraint conversations_pkey PRIMARY KEY (account_id, subject_kind, subject_id),
  constraint conversations_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id)
);
CREATE INDEX conversations_newest ON public.conversations USING btree (last_at DESC, account_id, subject_kind, subject_id);
CREATE INDEX conversations_unanswered ON public.conversations USING btree (unanswered_since, account_id, subject_kind, subject_id) WHERE (unanswered_since IS NOT NULL);

create table document_proposals (
  account_id integer not null,
  id uuid not null,
  svc_shipment_id text collate "C",
  link_id text collate "C",
  state text collate "C" not null,
  proposed_at timestamp with time zone not null,
  content_hash text collate "C" not null,
  record text not null,
  constraint document_proposals_pkey PRIMARY KEY (account_id, id),
  constraint document_proposals_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  constraint document_proposals_state_check CHECK ((state = ANY (ARRAY['proposed'::text, 'accepted'::text, 'returned'::text])))
);
CREATE INDEX document_proposals_all ON public.document_proposals USING btree (proposed_at DESC, id DESC);
CREATE INDEX document_proposals_by_shipment ON public.document_proposals USING btree (account_id, svc_shipment_id);
CREATE INDEX document_proposals_newest ON public.document_proposals USING btree (account_id, proposed_at DESC, id DESC);
CREATE INDEX document_proposals_of_account_open ON public.document_proposals USING btree (account_id) WHERE (state = 'proposed'::text);
CREATE INDEX document_proposals_open ON public.document_proposals USING btree (proposed_at DESC, id DESC) WHERE (state = 'proposed'::text);

create unlogged table document_search (
  account_id integer not null,
  id uuid not null,
  newest_first bigint not null,
  type text collate "C",
  svc_shipment_id text collate "C",
  words tsvector not null,
  constraint document_search_pkey PRIMARY KEY (account_id, id)
);
CREATE INDEX document_search_by_shipment ON public.document_search USING btree (account_id, svc_shipment_id, id);
CREATE INDEX document_search_by_type ON public.document_search USING btree (account_id, type, id);
CREATE INDEX document_search_newest ON public.document_search USING btree (account_id, newest_first, id);

create table document_waivers (
  account_id integer not null,
  svc_shipment_id text collate "C" not null,
  type text collate "C" not null,
  reason text not null,
  waived_at timestamp with time zone not null,
  constraint document_waivers_pkey PRIMARY KEY (account_id, svc_shipment_id, type),
  constraint document_waivers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id)
);

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

create table event_identities (
  sender text collate "C" not null,
  identity text collate "C" not null,
  issued_at timestamp with time zone not null,
  content_hash text collate "C" not null,
  retracted boolean not null,
  account_id integer,
  svc_shipment_id text collate "C",
  event_id text collate "C",
  message_id bigint not null,
  unrouted text collate "C",
  constraint event_identities_pkey PRIMARY KEY (sender, identity)
);
CREATE INDEX event_identities_by_event ON public.event_identities USING btree (account_id, svc_shipment_id, event_id);
CREATE INDEX event_identities_by_message_id ON public.event_identities USING btree (message_id);
CREATE INDEX event_identities_unrouted ON public.event_identities USING btree (sender, unrouted) WHERE (unrouted IS NOT NULL);

create table event_positions (
  account_id integer not null,
  position bigint not null,
  after_revision bigint not null,
  revision bigint not null,
  at timestamp with time zone not null default now(),
  constraint event_positions_pkey PRIMARY KEY (account_id, "position"),
  constraint event_positions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id)
);
CREATE UNIQUE INDEX event_positions_in_order ON public.event_positions USING btree ("position");

create table exception_rules (
  account_id integer not null,
  rules text not null,
  changed_at timestamp with time zone not null default now(),
  changed_by text not null,
  constraint exception_rules_pkey PRIMARY KEY (account_id)
);

create table exception_state (
  account_id integer not null,
  revision bigint not null,
  watched_since timestamp with time zone not null,
  kind text collate "C",
  id text collate "C",
  rules text not null default ''::text,
  constraint exception_state_pkey PRIMARY KEY (account_id),
  constraint exception_state_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id)
);

create table exception_watches (
  account_id integer not null,
  kind text collate "C" not null,
  id text collate "C" not null,
  check_at timestamp with time zone,
  is_known boolean not null default false,
  memory text,
  is_history boolean not null default false,
  constraint exception_watches_pkey PRIMARY KEY (account_id, kind, id)
);
CREATE INDEX exception_watches_due ON public.exception_watches USING btree (account_id, check_at) WHERE (check_at IS NOT NULL);

create table exceptions (
  account_id integer not null,
  exception_id text collate "C" not null,
  thread text collate "C" not null,
  episode integer not null,
  kind text collate "C" not null,
  severity text collate "C" not null,
  state text collate "C" not null,
  visible boolean not null,
  svc_shipment_id text collate "C",
  reference text collate "C",
  invoice text collate "C",
  orders text[] collate "C" not null default '{}'::text[],
  owner text collate "C",
  newest_first bigint not null,
  revision bigint not null,
  body text not null,
  constraint exceptions_pkey PRIMARY KEY (account_id, exception_id)
);
CREATE INDEX exceptions_by_invoice ON public.exceptions USING btree (account_id, invoice) WHERE (invoice IS NOT NULL);
CREATE INDEX exceptions_by_order ON public.exceptions USING gin (orders);
CREATE INDEX exceptions_by_reference ON public.exceptions USING btree (account_id, reference) WHERE (reference IS NOT NULL);
CREATE INDEX exceptions_by_shipment ON public.exceptions USING btree (account_id, svc_shipment_id) WHERE (svc_shipment_id IS NOT NULL);
CREATE INDEX exceptions_newest_first ON public.exceptions USING btree (account_id, newest_first, exception_id);
CREATE INDEX exceptions_open ON public.exceptions USING btree (newest_first, account_id, exception_id) WHERE (state <> 'closed'::text);
CREATE INDEX exceptions_open_by_account ON public.exceptions USING btree (account_id, kind, newest_first) WHERE (state <> 'closed'::text);
CREATE INDEX exceptions_over_accounts ON public.exceptions USING btree (newest_first, account_id, exception_id);

create table feed_secrets (
  feed_id text collate "C" not null,
  secret_id bigint not null generated always as identity,
  secret text not null,
  created_at timestamp with time zone not null default now(),
  until timestamp with time zone,
  constraint feed_secrets_pkey PRIMARY KEY (feed_id, secret_id),
  constraint feed_secrets_feed_id_fkey FOREIGN KEY (feed_id) REFERENCES feeds(feed_id) ON DELETE CASCADE
);

create table feeds (
  feed_id text collate "C" not null,
  sender text collate "C" not null,
  channel text collate "C" not null,
  format text collate "C" not null,
  created_at timestamp with time zone not null default now(),
  paused boolean not null default false,
  refused bigint not null default 0,
  last_refused_at timestamp with time zone,
  url text,
  key_header text,
  interval_seconds integer,
  since timestamp with time zone,
  newest timestamp with time zone,
  cursor text,
  failures integer not null default 0,
  error text,
  last_attempt_at timestamp with time zone,
  last_success_at timestamp with time zone,
  caught_up_at timestamp with time zone,
  next_attempt_at timestamp with time zone,
  lease text,
  leased_until timestamp with time zone,
  token_url text,
  client_id text,
  scope text,
  constraint feeds_pkey PRIMARY KEY (feed_id),
  constraint feeds_channel_check CHECK ((channel = ANY (ARRAY['push'::text, 'pull'::text])))
);

create table free_time_terms (
  term_id text collate "C" not null,
  recorded_at timestamp with time zone not null,
  recorded_by text not null,
  term text,
  constraint free_time_terms_pkey PRIMARY KEY (term_id, recorded_at)
);

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

create table inbound (
  account_id integer not null,
  reference text collate "C" not null,
  line text collate "C" not null,
  svc_shipment_id text collate "C" not null,
  sku text collate "C" not null,
  name text,
  supplier text,
  desired_on date,
  quantity double precision not null,
  shipped double precision not null,
  words text collate "C" not null,
  shipment_name text,
  expected_on date,
  date_status text collate "C",
  date_of text collate "C",
  delivered boolean not null,
  location text collate "C",
  vessel text,
  constraint inbound_pkey PRIMARY KEY (account_id, reference, line, svc_shipment_id)
);
CREATE INDEX inbound_by_date ON public.inbound USING btree (account_id, delivered, expected_on, reference, line, svc_shipment_id);
CREATE INDEX inbound_by_shipment ON public.inbound USING btree (account_id, svc_shipment_id);
CREATE INDEX inbound_by_sku ON public.inbound USING btree (account_id, sku, expected_on);
CREATE INDEX inbound_by_vessel ON public.inbound USING btree (account_id, upper(vessel)) WHERE ((vessel IS NOT NULL) AND (NOT delivered));
CREATE INDEX inbound_late ON public.inbound USING btree (account_id, reference) WHERE (expected_on > desired_on);
CREATE INDEX inbound_late_now ON public.inbound USING btree (account_id, reference) WHERE ((expected_on > desired_on) AND (NOT delivered));
CREATE INDEX inbound_overdue ON public.inbound USING btree (account_id, desired_on, reference) WHERE (NOT delivered);

create unlogged table invoice_search (
  account_id integer not null,
  reference text collate "C" not null,
  newest_first bigint not null,
  number text collate "C",
  type text collate "C",
  status text collate "C",
  due_on date,
  is_open boolean not null,
  currencies text[] not null,
  words tsvector not null,
  amount bigint,
  constraint invoice_search_pkey PRIMARY KEY (account_id, reference)
);
CREATE INDEX invoice_search_by_amount ON public.invoice_search USING btree (account_id, amount, reference);
CREATE INDEX invoice_search_by_due ON public.invoice_search USING btree (account_id, due_on, reference);
CREATE INDEX invoice_search_by_number ON public.invoice_search USING btree (account_id, number, reference);
CREATE INDEX invoice_search_by_openness ON public.invoice_search USING btree (account_id, is_open, reference);
CREATE INDEX invoice_search_by_status ON public.invoice_search USING btree (account_id, status, reference);
CREATE INDEX invoice_search_newest ON public.invoice_search USING btree (account_id, newest_first, reference);
CREATE INDEX invoice_search_open ON public.invoice_search USING btree (account_id, due_on, reference) WHERE is_open;

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
  due_on text collate "C",
  constraint invoices_pkey PRIMARY KEY (account_id, reference)
) with (toast_tuple_target=8160);
CREATE INDEX invoices_becoming_due ON public.invoices USING btree (due_on, account_id, reference) WHERE ((status = 'available'::text) AND (NOT draft));
CREATE INDEX invoices_by_any_number ON public.invoices USING btree (upper(number), account_id, reference) WHERE (number IS NOT NULL);
CREATE INDEX invoices_by_any_reference ON public.invoices USING btree (upper(reference), account_id);
CREATE INDEX invoices_by_credited_invoice ON public.invoices USING btree (account_id, credited_invoice) WHERE (credited_invoice IS NOT NULL);
CREATE INDEX invoices_by_number ON public.invoices USING btree (account_id, number);
CREATE INDEX invoices_by_shipment ON public.invoices USING btree (account_id, svc_shipment_id);
CREATE INDEX invoices_disputed ON public.invoices USING btree (newest_first, account_id, reference) WHERE ((status = 'litigious'::text) AND (NOT draft));
CREATE INDEX invoices_drafts ON public.invoices USING btree (newest_first, account_id, reference) WHERE draft;
CREATE INDEX invoices_newest_first ON public.invoices USING btree (account_id, newest_first, reference);
CREATE INDEX invoices_of_all_accounts ON public.invoices USING btree (newest_first, account_id, reference);
CREATE INDEX invoices_open ON public.invoices USING btree (due_on, account_id, reference) WHERE ((NOT draft) AND (type IS DISTINCT FROM 'credit_note'::text) AND (status IS DISTINCT FROM 'paid'::text) AND (status IS DISTINCT FROM 'write_off'::text));

create unlogged table key_uses (
  account_id integer not null,
  key_id text collate "C" not null,
  last_used_at timestamp with time zone not null,
  constraint key_uses_pkey PRIMARY KEY (account_id, key_id)
);

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
  created_by text collate "C",
  created_by_name text,
  owner text collate "C",
  networks text[],
  replaces text collate "C",
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

create table mails (
  mail_id bigint not null generated always as identity,
  recipient text not null,
  subject text not null,
  content text,
  created_at timestamp with time zone not null default now(),
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone default now(),
  sent_at timestamp with time zone,
  failure text,
  constraint mails_pkey PRIMARY KEY (mail_id)
);
CREATE INDEX mails_due ON public.mails USING btree (next_attempt_at) WHERE (next_attempt_at IS NOT NULL);

create table message_files (
  account_id integer not null,
  file_id uuid not null,
  author text collate "C" not null,
  name text not null,
  content_hash text collate "C" not null,
  size bigint not null,
  uploaded_at timestamp with time zone not null,
  message_id text collate "C",
  constraint message_files_pkey PRIMARY KEY (account_id, file_id)
);
CREATE INDEX message_files_unsent ON public.message_files USING btree (account_id) WHERE (message_id IS NULL);

create table messages (
  message_id bigint not null generated always as identity,
  sender text collate "C" not null,
  channel text collate "C" not null,
  format text collate "C" not null,
  received_at timestamp with time zone not null default clock_timestamp(),
  hash text collate "C" not null,
  content bytea not null,
  outcome text collate "C" not null default 'received'::text,
  reason text,
  processed_at timestamp with time zone,
  counts text not null default '{}'::text,
  events text not null default '[]'::text,
  refs text[] collate "C" not null default '{}'::text[],
  waiting text[] collate "C" not null default '{}'::text[],
  matched_account_id integer,
  matched_shipment text,
  feed_id text collate "C",
  warnings text not null default '[]'::text,
  accounts integer[] not null default '{}'::integer[],
  constraint messages_pkey PRIMARY KEY (message_id)
);
CREATE INDEX messages_by_age ON public.messages USING brin (received_at);
CREATE INDEX messages_by_feed ON public.messages USING btree (feed_id, message_id) WHERE (feed_id IS NOT NULL);
CREATE INDEX messages_by_hash ON public.messages USING btree (sender, hash, message_id);
CREATE INDEX messages_by_outcome ON public.messages USING btree (outcome, message_id);
CREATE INDEX messages_by_reference ON public.messages USING gin (refs);
CREATE INDEX messages_by_sender ON public.messages USING btree (sender, message_id);
CREATE INDEX messages_pending ON public.messages USING btree (sender, message_id) WHERE (outcome = 'received'::text);
CREATE INDEX messages_unmatched ON public.messages USING btree (message_id) WHERE (outcome = 'unmatched'::text);

create table notification_settings (
  account_id integer not null,
  person_id text collate "C" not null,
  quiet_from text,
  quiet_to text,
  digest_time text not null,
  digest_weekday integer not null,
  messages text collate "C",
  constraint notification_settings_pkey PRIMARY KEY (account_id, person_id),
  constraint notification_settings_account_id_person_id_fkey FOREIGN KEY (account_id, person_id) REFERENCES people(account_id, person_id) ON DELETE CASCADE
);

create table notification_state (
  account_id integer not null,
  revision bigint not null,
  kind text collate "C" not null,
  id text collate "C" not null,
  constraint notification_state_pkey PRIMARY KEY (account_id),
  constraint notification_state_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id)
);

create table notifications (
  account_id integer not null,
  notification_id bigint not null generated always as identity,
  person_id text collate "C" not null,
  key text collate "C" not null,
  subscription_id text collate "C",
  delivery text collate "C" not null,
  type text collate "C" not null,
  exception_id text collate "C",
  content text not null,
  created_at timestamp with time zone not null,
  read_at timestamp with time zone,
  mail_at timestamp with time zone,
  constraint notifications_pkey PRIMARY KEY (account_id, notification_id),
  constraint notifications_account_id_person_id_fkey FOREIGN KEY (account_id, person_id) REFERENCES people(account_id, person_id) ON DELETE CASCADE,
  constraint notifications_account_id_person_id_key_key UNIQUE (account_id, person_id, key)
);
CREATE INDEX notifications_due ON public.notifications USING btree (mail_at) WHERE (mail_at IS NOT NULL);
CREATE INDEX notifications_newest ON public.notifications USING btree (account_id, person_id, notification_id);
CREATE INDEX notifications_old ON public.notifications USING btree (created_at);
CREATE INDEX notifications_unread ON public.notifications USING btree (account_id, person_id) WHERE (read_at IS NULL);

create table number_series (
  series text collate "C" not null,
  year integer not null,
  last integer not null,
  last_date text collate "C",
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
  accounts integer[],
  constraint operators_pkey PRIMARY KEY (operator_id),
  constraint operators_hash_key UNIQUE (hash),
  constraint operators_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'operations'::text, 'finance'::text, 'viewer'::text])))
);

create table passkey_challenges (
  hash bytea not null,
  purpose text not null,
  bound_to bytea,
  expires_at timestamp with time zone not null,
  constraint passkey_challenges_pkey PRIMARY KEY (hash)
);
CREATE INDEX passkey_challenges_by_end ON public.passkey_challenges USING btree (expires_at);

create table passkeys (
  account_id integer not null,
  person_id text collate "C" not null,
  passkey_id text collate "C" not null,
  credential_id text collate "C" not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone,
  constraint passkeys_pkey PRIMARY KEY (account_id, person_id, passkey_id),
  constraint passkeys_credential_id_key UNIQUE (credential_id)
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
CREATE INDEX payments_of_bank_lists ON public.payments USING btree (payment_id, account_id) WHERE (payment_id ~~ 'BANK-%'::text);
CREATE INDEX payments_unapplied ON public.payments USING btree (account_id, payment_id) WHERE (record ~~ '%"unapplied":%'::text);

create table pending_sign_ins (
  account_id integer not null,
  person_id text collate "C" not null,
  hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint pending_sign_ins_pkey PRIMARY KEY (account_id, person_id, hash),
  constraint pending_sign_ins_hash_key UNIQUE (hash)
);
CREATE INDEX pending_sign_ins_by_end ON public.pending_sign_ins USING btree (expires_at);

create table people (
  account_id integer not null,
  person_id text collate "C" not null,
  email text collate "C" not null,
  name text not null,
  role text not null,
  password_hash text,
  language text not null default 'en'::text,
  time_zone text not null default 'UTC'::text,
  weight_unit text not null default 'kg'::text,
  theme text not null default 'system'::text,
  created_at timestamp with time zone not null default now(),
  last_seen_at timestamp with time zone,
  disabled_at timestamp with time zone,
  provider_issuer text collate "C",
  provider_subject text collate "C",
  accounts integer[],
  constraint people_pkey PRIMARY KEY (account_id, person_id),
  constraint people_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  constraint people_accounts_check CHECK (((accounts IS NULL) OR (account_id = 0))),
  constraint people_role_check CHECK (
CASE
    WHEN (account_id = 0) THEN (role = ANY (ARRAY['admin'::text, 'operations'::text, 'finance'::text, 'viewer'::text]))
    ELSE (role = ANY (ARRAY['admin'::text, 'member'::text, 'viewer'::text]))
END)
);
CREATE UNIQUE INDEX people_by_email ON public.people USING btree (email, ((account_id = 0)));
CREATE UNIQUE INDEX people_by_provider ON public.people USING btree (provider_issuer, provider_subject, ((account_id = 0)));

create table personal_links (
  account_id integer not null,
  person_id text collate "C" not null,
  hash bytea not null,
  purpose text collate "C" not null,
  expires_at timestamp with time zone not null,
  constraint personal_links_pkey PRIMARY KEY (account_id, person_id, purpose),
  constraint personal_links_account_id_person_id_fkey FOREIGN KEY (account_id, person_id) REFERENCES people(account_id, person_id) ON DELETE CASCADE,
  constraint personal_links_hash_key UNIQUE (hash),
  constraint personal_links_purpose_check CHECK ((purpose = ANY (ARRAY['invitation'::text, 'reset'::text])))
);

create unlogged table presence (
  account_id integer not null,
  svc_shipment_id text collate "C" not null,
  tab text collate "C" not null,
  operator_id text collate "C" not null,
  name text not null,
  editing text collate "C",
  since timestamp with time zone not null default now(),
  seen_at timestamp with time zone not null default now(),
  constraint presence_pkey PRIMARY KEY (account_id, svc_shipment_id, tab)
);

create unlogged table purchase_order_search (
  account_id integer not null,
  reference text collate "C" not null,
  newest_first bigint not null,
  supplier_key text collate "C",
  state text collate "C" not null,
  ex_factory_on date,
  delivery_on date,
  words tsvector not null,
  has_open_lines boolean not null default false,
  wanted_on date,
  constraint purchase_order_search_pkey PRIMARY KEY (account_id, reference),
  constraint purchase_order_search_state_check CHECK ((state = ANY (ARRAY['open'::text, 'partly_assigned'::text, 'assigned'::text, 'shipped'::text, 'cancelled'::text])))
);
CREATE INDEX purchase_order_search_by_delivery ON public.purchase_order_search USING btree (account_id, delivery_on, reference);
CREATE INDEX purchase_order_search_by_ex_factory ON public.purchase_order_search USING btree (account_id, ex_factory_on, reference);
CREATE INDEX purchase_order_search_by_state ON public.purchase_order_search USING btree (account_id, state, reference);
CREATE INDEX purchase_order_search_by_supplier ON public.purchase_order_search USING btree (account_id, supplier_key, reference);
CREATE INDEX purchase_order_search_newest ON public.purchase_order_search USING btree (account_id, newest_first, reference);
CREATE INDEX purchase_order_search_open ON public.purchase_order_search USING btree (wanted_on, account_id, reference) WHERE has_open_lines;
CREATE INDEX purchase_order_search_open_of_account ON public.purchase_order_search USING btree (account_id, wanted_on, reference) WHERE has_open_lines;
CREATE INDEX purchase_order_search_wanted ON public.purchase_order_search USING btree (account_id, state, ex_factory_on, reference);

create table purchase_orders (
  account_id integer not null,
  reference text collate "C" not null,
  newest_first bigint not null,
  revision bigint not null,
  body text not null,
  cancelled_at timestamp with time zone,
  constraint purchase_orders_pkey PRIMARY KEY (account_id, reference)
) with (toast_tuple_target=8160);
CREATE INDEX purchase_orders_by_any_reference ON public.purchase_orders USING btree (upper(reference), account_id);
CREATE INDEX purchase_orders_newest_first ON public.purchase_orders USING btree (account_id, newest_first, reference);

create table recovery_codes (
  account_id integer not null,
  person_id text collate "C" not null,
  hash bytea not null,
  constraint recovery_codes_pkey PRIMARY KEY (account_id, person_id, hash)
);

create table reply_addresses (
  account_id integer not null,
  hash text collate "C" not null,
  subject_kind text collate "C" not null,
  subject_id text collate "C" not null,
  person_account_id integer not null,
  person_id text collate "C" not null,
  created_at timestamp with time zone not null default now(),
  constraint reply_addresses_pkey PRIMARY KEY (account_id, hash),
  constraint reply_addresses_person_account_id_person_id_fkey FOREIGN KEY (person_account_id, person_id) REFERENCES people(account_id, person_id) ON DELETE CASCADE
);
CREATE INDEX reply_addresses_by_person ON public.reply_addresses USING btree (person_account_id, person_id);

create unlogged table requests (
  account_id integer not null,
  key_id text collate "C" not null,
  at timestamp with time zone not null,
  request_id text collate "C" not null,
  method text not null,
  path text not null,
  status smallint not null,
  duration_ms real not null,
  constraint requests_pkey PRIMARY KEY (account_id, at, request_id)
);
CREATE INDEX requests_by_age ON public.requests USING brin (at);
CREATE INDEX requests_by_key ON public.requests USING btree (account_id, key_id, at, request_id);
CREATE INDEX requests_refused ON public.requests USING btree (account_id, at, request_id) WHERE (status >= 400);

create table saved_views (
  account_id integer not null,
  person_id text collate "C" not null,
  view_id text collate "C" not null,
  page text not null,
  name text not null,
  query text not null,
  constraint saved_views_pkey PRIMARY KEY (account_id, person_id, view_id),
  constraint saved_views_account_id_person_id_fkey FOREIGN KEY (account_id, person_id) REFERENCES people(account_id, person_id) ON DELETE CASCADE
);

create table schema_migrations (
  version integer not null,
  name text not null,
  applied_at timestamp with time zone not null default now(),
  pending text[],
  constraint schema_migrations_pkey PRIMARY KEY (version)
);

create unlogged table search_counts (
  account_id integer not null,
  kind text collate "C" not null,
  facet text collate "C" not null,
  value text collate "C" not null,
  count integer not null,
  constraint search_counts_pkey PRIMARY KEY (account_id, kind, facet, value)
);
CREATE INDEX search_counts_largest ON public.search_counts USING btree (account_id, kind, facet, count DESC, value);

create unlogged table search_state (
  account_id integer not null,
  revision bigint not null,
  kind text collate "C",
  id text collate "C",
  constraint search_state_pkey PRIMARY KEY (account_id),
  constraint search_state_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id)
);

create unlogged table search_texts (
  account_id integer not null,
  kind text collate "C" not null,
  id text collate "C" not null,
  words tsvector not null,
  constraint search_texts_pkey PRIMARY KEY (account_id, kind, id)
);
CREATE INDEX search_texts_words ON public.search_texts USING gin (words) WITH (gin_pending_list_limit='256');

create table sender_code_uses (
  sender text collate "C" not null,
  format text collate "C" not null,
  code text collate "C" not null,
  message_id bigint not null,
  uses integer not null,
  constraint sender_code_uses_pkey PRIMARY KEY (sender, format, code, message_id)
);
CREATE INDEX sender_code_uses_by_message ON public.sender_code_uses USING btree (message_id);

create table sender_codes (
  sender text collate "C" not null,
  format text collate "C" not null,
  code text collate "C" not null,
  text text not null,
  mapped_to text collate "C",
  mapped_status text collate "C",
  mapped_by text,
  mapped_at timestamp with time zone,
  constraint sender_codes_pkey PRIMARY KEY (sender, format, code)
);

create table sender_columns (
  sender text collate "C" not null,
  settings text not null,
  saved_by text not null,
  saved_at timestamp with time zone not null default now(),
  constraint sender_columns_pkey PRIMARY KEY (sender)
);

create table senders (
  sender text collate "C" not null,
  party text collate "C" not null,
  name text,
  constraint senders_pkey PRIMARY KEY (sender)
);

create table service (
  only_row boolean not null default true,
  epoch text not null default (gen_random_uuid())::text,
  link_secret text not null,
  branding text,
  constraint service_pkey PRIMARY KEY (only_row),
  constraint service_only_row_check CHECK (only_row)
);

create table sessions (
  account_id integer not null,
  person_id text collate "C" not null,
  hash bytea not null,
  signed_in_with text not null,
  created_at timestamp with time zone not null default now(),
  last_seen_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  session_id text collate "C" not null,
  address text not null default ''::text,
  browser text,
  system text,
  authenticated_at timestamp with time zone not null default now(),
  viewer text collate "C",
  viewer_name text,
  constraint sessions_pkey PRIMARY KEY (account_id, person_id, hash),
  constraint sessions_account_id_person_id_fkey FOREIGN KEY (account_id, person_id) REFERENCES people(account_id, person_id) ON DELETE CASCADE,
  constraint sessions_hash_key UNIQUE (hash),
  constraint sessions_signed_in_with_check CHECK ((signed_in_with = ANY (ARRAY['password'::text, 'provider'::text, 'demo'::text, 'passkey'::text, 'viewing'::text]))),
  constraint sessions_viewer_check CHECK (((signed_in_with = 'viewing'::text) = (viewer IS NOT NULL)))
);
CREATE INDEX sessions_by_end ON public.sessions USING btree (expires_at);

create table shared_links (
  account_id integer not null,
  link_id text collate "C" not null,
  hash bytea not null,
  svc_shipment_id text collate "C" not null,
  name text,
  documents uuid[] not null,
  prices boolean not null,
  parties boolean not null,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  created_by_name text,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  last_viewed_at timestamp with time zone,
  views integer not null default 0,
  constraint shared_links_pkey PRIMARY KEY (account_id, link_id),
  constraint shared_links_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  constraint shared_links_hash_key UNIQUE (hash)
);
CREATE INDEX shared_links_by_shipment ON public.shared_links USING btree (account_id, svc_shipment_id);

create table shipment_references (
  reference text collate "C" not null,
  kind text collate "C" not null,
  account_id integer not null,
  svc_shipment_id text collate "C" not null,
  constraint shipment_references_pkey PRIMARY KEY (account_id, svc_shipment_id, kind, reference)
);
CREATE INDEX shipment_references_by_reference ON public.shipment_references USING btree (reference, account_id, svc_shipment_id, kind);

create unlogged table shipment_search (
  account_id integer not null,
  svc_shipment_id text collate "C" not null,
  newest_first bigint not null,
  name_key text collate "C",
  status text collate "C",
  freight_mode text collate "C",
  origin text collate "C",
  destination text collate "C",
  departs_on date,
  arrives_on date,
  delivered_on date,
  late_days integer,
  overdue_since integer,
  words tsvector not null,
  constraint shipment_search_pkey PRIMARY KEY (account_id, svc_shipment_id)
);
CREATE INDEX shipment_search_by_arrival ON public.shipment_search USING btree (account_id, arrives_on, svc_shipment_id);
CREATE INDEX shipment_search_by_delivery ON public.shipment_search USING btree (account_id, delivered_on, svc_shipment_id);
CREATE INDEX shipment_search_by_departure ON public.shipment_search USING btree (account_id, departs_on, svc_shipment_id);
CREATE INDEX shipment_search_by_destination ON public.shipment_search USING btree (account_id, destination, svc_shipment_id);
CREATE INDEX shipment_search_by_lateness ON public.shipment_search USING btree (account_id, late_days, svc_shipment_id);
CREATE INDEX shipment_search_by_mode ON public.shipment_search USING btree (account_id, freight_mode, svc_shipment_id);
CREATE INDEX shipment_search_by_name ON public.shipment_search USING btree (account_id, name_key, svc_shipment_id);
CREATE INDEX shipment_search_by_route ON public.shipment_search USING btree (account_id, origin, destination, svc_shipment_id);
CREATE INDEX shipment_search_by_status ON public.shipment_search USING btree (account_id, status, arrives_on, svc_shipment_id);
CREATE INDEX shipment_search_expected_late ON public.shipment_search USING btree (account_id, late_days, overdue_since, svc_shipment_id) WHERE ((late_days > 0) AND (overdue_since IS NOT NULL));
CREATE INDEX shipment_search_newest ON public.shipment_search USING btree (account_id, newest_first, svc_shipment_id);
CREATE INDEX shipment_search_of_all_by_status ON public.shipment_search USING btree (status, arrives_on, account_id, svc_shipment_id);
CREATE INDEX shipment_search_of_all_newest ON public.shipment_search USING btree (newest_first, account_id, svc_shipment_id);
CREATE INDEX shipment_search_overdue ON public.shipment_search USING btree (account_id, overdue_since, svc_shipment_id);

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

create table sign_in_failures (
  subject bytea not null,
  failures integer not null,
  last_at timestamp with time zone not null,
  constraint sign_in_failures_pkey PRIMARY KEY (subject)
);
CREATE INDEX sign_in_failures_by_age ON public.sign_in_failures USING btree (last_at);

create table subscriptions (
  account_id integer not null,
  subscription_id text collate "C" not null,
  person_id text collate "C" not null,
  scope text collate "C" not null,
  scope_id text collate "C",
  exceptions text[] not null,
  changes text[] not null,
  delivery text collate "C" not null,
  after_revision bigint not null,
  created_at timestamp with time zone not null default now(),
  constraint subscriptions_pkey PRIMARY KEY (account_id, subscription_id),
  constraint subscriptions_account_id_person_id_fkey FOREIGN KEY (account_id, person_id) REFERENCES people(account_id, person_id) ON DELETE CASCADE
);
CREATE INDEX subscriptions_by_person ON public.subscriptions USING btree (account_id, person_id);

create table supplier_links (
  account_id integer not null,
  link_id text collate "C" not null,
  hash bytea not null,
  svc_shipment_id text collate "C" not null,
  supplier text not null,
  email text,
  language text collate "C" not null,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  created_by_name text,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  last_opened_at timestamp with time zone,
  uploads integer not null default 0,
  constraint supplier_links_pkey PRIMARY KEY (account_id, link_id),
  constraint supplier_links_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  constraint supplier_links_hash_key UNIQUE (hash)
);
CREATE INDEX supplier_links_by_shipment ON public.supplier_links USING btree (account_id, svc_shipment_id);

create table totp_factors (
  account_id integer not null,
  person_id text collate "C" not null,
  secret text not null,
  created_at timestamp with time zone not null default now(),
  confirmed_at timestamp with time zone,
  last_step bigint not null default 0,
  constraint totp_factors_pkey PRIMARY KEY (account_id, person_id)
);

create table tracking (
  account_id integer not null,
  svc_shipment_id text collate "C" not null,
  main_tracking_dates text not null,
  revision bigint not null,
  body text not null,
  vessel text,
  voyage text,
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

create table tracking_locations (
  account_id integer not null,
  location_id bigint not null,
  svc_shipment_id text collate "C" not null,
  constraint tracking_locations_pkey PRIMARY KEY (account_id, location_id, svc_shipment_id),
  constraint tracking_locations_account_id_svc_shipment_id_fkey FOREIGN KEY (account_id, svc_shipment_id) REFERENCES tracking(account_id, svc_shipment_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX tracking_locations_by_shipment ON public.tracking_locations USING btree (account_id, svc_shipment_id);

create table webhook_deliveries (
  account_id integer not null,
  webhook_id text collate "C" not null,
  delivery_id text collate "C" not null,
  number bigint not null generated always as identity,
  event_id text collate "C" not null,
  type text not null,
  content text not null,
  state text not null,
  created_at timestamp with time zone not null default now(),
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone,
  attempted_at timestamp with time zone,
  url text,
  status integer,
  milliseconds integer,
  answer text,
  error text,
  resent boolean not null default false,
  constraint webhook_deliveries_pkey PRIMARY KEY (account_id, webhook_id, delivery_id),
  constraint webhook_deliveries_account_id_webhook_id_fkey FOREIGN KEY (account_id, webhook_id) REFERENCES webhooks(account_id, webhook_id) ON DELETE CASCADE,
  constraint webhook_deliveries_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'delivered'::text, 'failed'::text, 'dropped'::text])))
);
CREATE INDEX webhook_deliveries_newest ON public.webhook_deliveries USING btree (account_id, webhook_id, number DESC);
CREATE INDEX webhook_deliveries_old ON public.webhook_deliveries USING btree (created_at) WHERE (state <> 'waiting'::text);
CREATE INDEX webhook_deliveries_waiting ON public.webhook_deliveries USING btree (account_id, webhook_id, number) WHERE (state = 'waiting'::text);

create table webhook_secrets (
  account_id integer not null,
  webhook_id text collate "C" not null,
  secret_id bigint not null generated always as identity,
  secret text not null,
  created_at timestamp with time zone not null default now(),
  until timestamp with time zone,
  constraint webhook_secrets_pkey PRIMARY KEY (account_id, webhook_id, secret_id),
  constraint webhook_secrets_account_id_webhook_id_fkey FOREIGN KEY (account_id, webhook_id) REFERENCES webhooks(account_id, webhook_id) ON DELETE CASCADE
);

create table webhooks (
  account_id integer not null,
  webhook_id text collate "C" not null,
  url text not null,
  types text[] not null,
  kinds text[] not null,
  description text,
  ordered boolean not null,
  state text not null default 'active'::text,
  disabled_reason text,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  created_by_name text,
  revision bigint not null,
  kind text collate "C" not null,
  id text collate "C" not null,
  failures integer not null default 0,
  failing_since timestamp with time zone,
  last_success_at timestamp with time zone,
  due_at timestamp with time zone,
  held boolean not null default false,
  nudged boolean not null default false,
  lease uuid,
  leased_until timestamp with time zone,
  constraint webhooks_pkey PRIMARY KEY (account_id, webhook_id),
  constraint webhooks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  constraint webhooks_state_check CHECK ((state = ANY (ARRAY['active'::text, 'paused'::text, 'disabled'::text])))
);

create table work_items (
  account_id integer not null,
  kind text collate "C" not null,
  item text collate "C" not null,
  owner text,
  snoozed_until timestamp with time zone,
  changed_by text collate "C" not null,
  changed_at timestamp with time zone not null,
  constraint work_items_pkey PRIMARY KEY (account_id, kind, item)
);

create table working_days (
  place text collate "C" not null,
  recorded_at timestamp with time zone not null,
  recorded_by text not null,
  calendar text,
  constraint working_days_pkey PRIMARY KEY (place, recorded_at)
);

CREATE TRIGGER keep_audit_log BEFORE DELETE OR UPDATE ON public.audit_log FOR EACH ROW EXECUTE FUNCTION keep_audit_log();
