/** The first column of every primary key. */
export type AccountId = number
