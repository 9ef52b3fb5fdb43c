/** The forwarder's rules of free time and calendars of working days, all versions of each. Without content: removed. */
export const freeTime = `
create table free_time_terms (
  term_id text collate "C" not null,
  recorded_at timestamptz not null,
  recorded_by text not null,
  term text,
  primary key (term_id, recorded_at)
);

create table working_days (
  place text collate "C" not null,
  recorded_at timestamptz not null,
  recorded_by text not null,
  calendar text,
  primary key (place, recorded_at)
);
`
