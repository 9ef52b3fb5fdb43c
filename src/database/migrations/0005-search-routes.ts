/** One index for searches by origin, and by origin and destination. */
export const searchRoutes = `
drop index shipment_search_by_origin;
create index shipment_search_by_route on shipment_search (account_id, origin, destination, svc_shipment_id);
`
