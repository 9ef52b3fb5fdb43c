/** Those of one status lie in the order of their arrival: that is how people look at what is under way. */
export const searchArrivals = `
drop index shipment_search_by_status;
create index shipment_search_by_status on shipment_search (account_id, status, arrives_on, svc_shipment_id);
`
