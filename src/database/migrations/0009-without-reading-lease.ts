/** Removes the reading lease: every request checks the account's revision instead. */
export const withoutReadingLease = `
drop trigger outlast_reading_lease on accounts;
drop trigger outlast_reading_lease on service;
drop function outlast_reading_lease();
drop table reading_lease;
`
