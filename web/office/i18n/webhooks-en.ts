/** Texts of the page of webhooks. The parts that it shares with the portal have theirs there. */
export const englishWebhooks = {
  title: 'Webhooks',
  lead: 'The systems of customers that events are sent to.',
  none: 'No webhooks',
  noneText: 'Customers add them in the portal, on the interface or with you: waybill webhook create.',
  noMatch: 'No webhook has this status.',
  noDeliveriesText: 'What happens in the account of the customer is sent from now on.',
  customer: 'Customer',
  disable: 'Disable',
  enable: 'Enable',
  disabled: (url: string) => `Nothing is sent to ${url} until you enable it`,
  enabled: (url: string) => `${url} enabled. It goes on where it was`,
  deliveriesOf: (url: string) => `Deliveries to ${url}`,
  disableOne: (url: string) => `Disable ${url}`,
  enableOne: (url: string) => `Enable ${url}`,
  reasons: {
    gone: 'It responded with 410.',
    failing: 'Nothing could be delivered for 5 days.',
    forwarder: 'Disabled by us.',
    no_secret: 'It has no secret: the customer rotates it.',
  },
}
