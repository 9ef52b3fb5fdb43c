/** Episodes are looked up by what they belong to: the index of threads was read by nothing, and written with every exception. */
export const exceptionIndexes = `
drop index exceptions_by_thread;
`
