/** Operators list shipments over all accounts: the newest first, and those under way by arrival. */
export const shipmentsOfAllAccounts = `
create index shipment_search_of_all_newest on shipment_search (newest_first, account_id, svc_shipment_id);
create index shipment_search_of_all_by_status on shipment_search (status, arrives_on, account_id, svc_shipment_id);
`
