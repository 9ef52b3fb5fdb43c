/** Which subjects were there before they were watched. Those that are watched already are taken for such: nobody is notified of their past. */
export const watchedHistory = `
alter table exception_watches add column is_history boolean not null default true;
alter table exception_watches alter column is_history set default false;
`
