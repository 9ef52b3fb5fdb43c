/** What is known of those who send messages, and the version of the rules by which dates follow from events. */
export const senders = `
create table senders (
  sender text collate "C" primary key,
  party text collate "C" not null,
  name text
);
alter table accounts alter column tracking_rules set default 2;
`
