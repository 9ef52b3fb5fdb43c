/**
 * The change log in the order of the change feed: a revision may have many changes, and pages begin anywhere within it.
 * The index begins as the one it replaces.
 */
export const eventOrder = `
create index changes_in_order on changes (account_id, revision, kind, id);
drop index changes_by_revision;
`
