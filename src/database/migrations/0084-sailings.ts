/** The vessel that the events of a tracking name, and its voyage. Rows have none until they are next written. */
export const sailings = `
alter table tracking add column vessel text, add column voyage text;
`
