/**
 * What is odd about a message, and the status codes of each sender that our tables do not have: in which messages they came,
 * and what an operator says that they mean.
 */
export const senderCodes = `
alter table messages add column warnings text not null default '[]';

create table sender_codes (
  sender text collate "C" not null,
  format text collate "C" not null,
  code text collate "C" not null,
  text text not null,
  mapped_to text collate "C",
  mapped_status text collate "C",
  mapped_by text,
  mapped_at timestamptz,
  primary key (sender, format, code)
);

create table sender_code_uses (
  sender text collate "C" not null,
  format text collate "C" not null,
  code text collate "C" not null,
  message_id bigint not null,
  uses integer not null,
  primary key (sender, format, code, message_id)
);
create index sender_code_uses_by_message on sender_code_uses (message_id);
`
