/** The version of the rules by which the dates of an account's shipments were derived. */
export const trackingRules = `
alter table accounts add column tracking_rules integer not null default 0;
alter table accounts alter column tracking_rules set default 1;
`
