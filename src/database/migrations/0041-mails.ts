/** Mails that are to be sent, and for a while those that were. The content is encrypted: it contains links that let people in. */
export const mails = `
create table mails (
  mail_id bigint generated always as identity primary key,
  recipient text not null,
  subject text not null,
  -- Null once the mail was sent or given up.
  content text,
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  -- Null once there is no further attempt.
  next_attempt_at timestamptz default now(),
  sent_at timestamptz,
  failure text
);
create index mails_due on mails (next_attempt_at) where next_attempt_at is not null;
`
