/**
 * The index by message had the columns of the primary key as well: a plan that was made while the table was empty read that one for each
 * event, from its beginning.
 */
export const eventIndex = `
create index event_identities_by_message_id on event_identities (message_id);
drop index event_identities_by_message;
`
