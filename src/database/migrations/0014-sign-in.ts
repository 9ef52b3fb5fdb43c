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
`
