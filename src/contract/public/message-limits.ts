/** Limits of messages, without their schemas: the portal loads them with its first page. */
export const maxMessageText = 10_000
export const maxMessageFiles = 10
export const maxMentions = 20
/** Files that were uploaded and not sent yet, of one account. */
export const maxUnsentFiles = 100
