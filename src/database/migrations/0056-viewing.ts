/**
 * Sessions of the portal in which one of the forwarder's people sees what a user sees, and changes nothing: who it is, and their name
 * at that time.
 */
export const viewing = `
alter table sessions drop constraint sessions_signed_in_with_check;
alter table sessions
  add column viewer text collate "C",
  add column viewer_name text,
  add constraint sessions_signed_in_with_check
    check (signed_in_with in ('password', 'provider', 'demo', 'passkey', 'viewing')),
  add constraint sessions_viewer_check check ((signed_in_with = 'viewing') = (viewer is not null));
`
