/** By which versions of events are found whose messages are no longer kept. */
export const eventRetention = `
create index event_identities_by_message on event_identities (message_id, sender, identity);
`
