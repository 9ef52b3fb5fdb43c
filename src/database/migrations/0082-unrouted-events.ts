/** By which events are retracted by who does not name the party that they are from. */
export const unroutedEvents = `
alter table event_identities add column unrouted text collate "C";
create index event_identities_unrouted on event_identities (sender, unrouted) where unrouted is not null;
`
