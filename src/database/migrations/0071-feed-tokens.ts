/** Feeds of carriers that hand out tokens by OAuth 2.0. */
export const feedTokens = `
alter table feeds add column token_url text, add column client_id text, add column scope text;
`
