/**
 * Settings of invoicing, of the forwarder (account 0) and of accounts; templates of charges. A series knows the date of its last
 * number, and invoices their due date, by which the office lists them over all accounts.
 */
export const billing = `
create table billing_settings (
  account_id integer primary key,
  settings text not null,
  changed_at timestamptz not null,
  changed_by text not null
);

create table charge_templates (
  account_id integer not null,
  name text collate "C" not null,
  template text not null,
  changed_at timestamptz not null,
  changed_by text not null,
  primary key (account_id, name)
);

alter table number_series add column last_date text collate "C";

alter table invoices add column due_on text collate "C";
create index invoices_of_all_accounts on invoices (newest_first, account_id, reference);
create index invoices_drafts on invoices (newest_first, account_id, reference) where draft;
create index invoices_disputed on invoices (newest_first, account_id, reference) where status = 'litigious' and not draft;
create index invoices_open on invoices (due_on, account_id, reference)
  where not draft and type is distinct from 'credit_note'
    and status is distinct from 'paid' and status is distinct from 'write_off';
create index invoices_becoming_due on invoices (due_on, account_id, reference) where status = 'available' and not draft;
create index payments_unapplied on payments (account_id, payment_id) where record like '%"unapplied":%';
`

export const dueDates = `
update invoices set due_on = body::jsonb ->> 'due_date' where due_on is null and body like '%"due_date"%'
`
