/** What the columns of the tables of each sender stand for. */
export const senderColumns = `
create table sender_columns (
  sender text collate "C" primary key,
  settings text not null,
  saved_by text not null,
  saved_at timestamptz not null default now()
);
`
