const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

/** Texts of the list of shipments. */
export const englishShipments = {
  title: 'Shipments',
  lead: (count: number, hasMore: boolean) =>
    `${hasMore ? 'More than ' : ''}${counted(count, 'shipment', 'shipments')}, of all customers.`,
  leadOf: (count: number, hasMore: boolean, customer: string) =>
    `${hasMore ? 'More than ' : ''}${counted(count, 'shipment', 'shipments')} of ${customer}.`,
  customer: 'Customer',
  list: 'List',
  noneText: 'Shipments appear here once they are created, imported or requested.',
}
