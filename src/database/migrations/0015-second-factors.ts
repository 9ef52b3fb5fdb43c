/**
 * Second factors of people. Operators have the account 0, so these tables do not refer to people: whoever removes a person
 * removes their factors.
 */
export const secondFactors = `
alter table accounts add column second_factor_required boolean not null default false;

alter table sessions drop constraint sessions_signed_in_with_check;
alter table sessions add constraint sessions_signed_in_with_check
  check (signed_in_with in ('password', 'provider', 'demo', 'passkey'));

create table totp_factors (
  account_id integer not null,
  person_id text collate "C" not null,
  -- Encrypted with a key derived from the secret of the service.
  secret text not null,
  created_at timestamptz not null default now(),
  -- Null until the first code was confirmed.
  confirmed_at timestamptz,
  -- The 30 seconds of the last accepted code: it and earlier ones are refused.
  last_step bigint not null default 0,
  primary key (account_id, person_id)
);

create table recovery_codes (
  account_id integer not null,
  person_id text collate "C" not null,
  hash bytea not null,
  primary key (account_id, person_id, hash)
);

create table passkeys (
  account_id integer not null,
  person_id text collate "C" not null,
  passkey_id text collate "C" not null,
  -- base64url, as the authenticator has chosen it.
  credential_id text collate "C" not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  primary key (account_id, person_id, passkey_id)
);

-- A challenge works once, and only with the token of the sign-in or session that it is for.
create table passkey_challenges (
  hash bytea primary key,
  purpose text not null,
  bound_to bytea,
  expires_at timestamptz not null
);
create index passkey_challenges_by_end on passkey_challenges (expires_at);

-- The password was right, the second factor is missing.
create table pending_sign_ins (
  account_id integer not null,
  person_id text collate "C" not null,
  hash bytea not null unique,
  expires_at timestamptz not null,
  primary key (account_id, person_id, hash)
);
create index pending_sign_ins_by_end on pending_sign_ins (expires_at);
`
