/** Messages between customers and the forwarder about a shipment or an order, and their files. */
export const conversations = `
create table conversations (
  account_id integer not null references accounts,
  -- shipment or purchase_order
  subject_kind text collate "C" not null,
  subject_id text collate "C" not null,
  messages integer not null,
  last_at timestamptz not null,
  last_message text collate "C" not null,
  -- The first message of the account that the forwarder has not answered.
  unanswered_since timestamptz,
  primary key (account_id, subject_kind, subject_id)
);
create index conversations_newest on conversations (last_at desc, account_id, subject_kind, subject_id);
create index conversations_unanswered on conversations (unanswered_since, account_id, subject_kind, subject_id)
  where unanswered_since is not null;

create table conversation_messages (
  account_id integer not null,
  message_id text collate "C" not null,
  subject_kind text collate "C" not null,
  subject_id text collate "C" not null,
  sent_at timestamptz not null,
  author text collate "C" not null,
  -- The Message-ID of a mail that it came by, hashed.
  mail_hash text collate "C",
  record text not null,
  primary key (account_id, message_id)
);
create index conversation_messages_newest on conversation_messages (account_id, sent_at desc, message_id);
create index conversation_messages_by_subject
  on conversation_messages (account_id, subject_kind, subject_id, sent_at desc, message_id);
create unique index conversation_messages_by_mail on conversation_messages (account_id, mail_hash)
  where mail_hash is not null;

create table message_files (
  account_id integer not null,
  file_id uuid not null,
  author text collate "C" not null,
  name text not null,
  content_hash text collate "C" not null,
  size bigint not null,
  uploaded_at timestamptz not null,
  -- Null until a message has it.
  message_id text collate "C",
  primary key (account_id, file_id)
);
create index message_files_unsent on message_files (account_id) where message_id is null;

create table conversation_reads (
  account_id integer not null,
  subject_kind text collate "C" not null,
  subject_id text collate "C" not null,
  person_id text collate "C" not null,
  read_at timestamptz not null,
  primary key (account_id, subject_kind, subject_id, person_id),
  foreign key (account_id, person_id) references people on delete cascade
);

-- The address to which a person replies by mail; the token in it is hashed.
create table reply_addresses (
  account_id integer not null,
  hash text collate "C" not null,
  subject_kind text collate "C" not null,
  subject_id text collate "C" not null,
  -- The account of the person: the forwarder's for staff.
  person_account_id integer not null,
  person_id text collate "C" not null,
  created_at timestamptz not null default now(),
  primary key (account_id, hash),
  foreign key (person_account_id, person_id) references people on delete cascade
);
create index reply_addresses_by_person on reply_addresses (person_account_id, person_id);

-- How a person is notified of messages: at_once (also if null) or portal.
alter table notification_settings add column messages text collate "C";

-- Whoever watches a shipment or an order is notified of its messages.
update subscriptions set changes = changes || '{message.created}' where scope in ('shipment', 'purchase_order');
`
