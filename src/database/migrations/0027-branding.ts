/** The forwarder's colours and logo in the portal, as JSON. */
export const branding = `
alter table service add column branding text;
`
