import { normalizedEmail } from '../../domain/people/email.js'
import type { TransactionSql } from '../database.js'

/** Sessions with device and place, and the time at which the person last proved who they are. */
export const signIn = `
alter table sessions
  add column session_id text collate "C",
  -- The IP address of the sign-in.
  add column address text not null default '',
  add column browser text,
  add column system text,
  -- When the person last proved who they are: by signing in, or again for an operation that requires it.
  add column authenticated_at timestamptz not null default now();
update sessions set session_id = 'ses_' || substr(encode(hash, 'hex'), 1, 16), authenticated_at = created_at;
alter table sessions alter column session_id set not null;

-- Whether people may sign in with the company's provider only.
alter table accounts add column provider_only boolean not null default false;

-- Addresses are normalised below, and compared as they are stored.
drop index people_by_email;
alter table people
  alter column email type text collate "C",
  -- Who the person is at the company's provider, since their first sign-in with it.
  add column provider_issuer text collate "C",
  add column provider_subject text collate "C";
create unique index people_by_provider on people (provider_issuer, provider_subject);
`

/**
 * Stores every address in its one spelling. If two people have the same address then, the older one keeps it; the other is disabled
 * and gets an address that nobody can sign in with, for an admin to remove.
 */
export async function normalizeEmails(tx: TransactionSql): Promise<void> {
  const people = await tx<{ account_id: number; person_id: string; email: string }[]>`
    select account_id, person_id, email from people order by created_at, person_id`
  const taken = new Set<string>()
  for (const { account_id, person_id, email } of people) {
    const normalized = normalizedEmail(email)
    const isTaken = taken.has(normalized)
    taken.add(normalized)
    const stored = isTaken ? `${normalized}.duplicate-${person_id}` : normalized
    if (stored === email) continue
    await tx`
      update people set email = ${stored}, disabled_at = case when ${isTaken} then coalesce(disabled_at, now()) else disabled_at end
      where account_id = ${account_id} and person_id = ${person_id}`
  }
  await tx.unsafe('create unique index people_by_email on people (email)')
}
