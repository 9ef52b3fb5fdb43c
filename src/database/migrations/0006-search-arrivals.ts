/** Index of shipments by status and arrival, the order of the portal's list of active shipments. */
export const searchArrivals = `
drop index shipment_search_by_status;
create index shipment_search_by_status on shipment_search (account_id, status, arrives_on, svc_shipment_id);
`
