/** From one port to another is asked as often as from one: the same index answers both. */
export const searchRoutes = `
drop index shipment_search_by_origin;
create index shipment_search_by_route on shipment_search (account_id, origin, destination, svc_shipment_id);
`
