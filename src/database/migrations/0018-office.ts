/**
 * Operators as people: those of the account 0, which is the forwarder's own and has no slug. They have roles of their own, and
 * an address may belong to one operator and to one person of a customer.
 */
export const office = `
alter table people drop constraint people_role_check;
alter table people add constraint people_role_check check (
  case when account_id = 0 then role in ('admin', 'operations', 'finance', 'viewer') else role in ('admin', 'member', 'viewer') end);

drop index people_by_email;
create unique index people_by_email on people (email, (account_id = 0));
drop index people_by_provider;
create unique index people_by_provider on people (provider_issuer, provider_subject, (account_id = 0));
`
