/** Orders are filtered by whether something of them is late: each part of the rule has an index. */
export const lateOrders = `
create index inbound_late on inbound (account_id, reference) where expected_on > desired_on;
create index inbound_late_now on inbound (account_id, reference) where expected_on > desired_on and not delivered;
create index inbound_overdue on inbound (account_id, desired_on, reference) where not delivered;
`
