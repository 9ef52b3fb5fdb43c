/** The first column of every primary key. */
export type AccountId = number

/** The forwarder's own: its log, and its operators as people. It has no slug, so no interface reaches its data by name. */
export const forwarderAccount: AccountId = 0
