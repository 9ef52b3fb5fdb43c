/** A cancelled order keeps its body, whose shape is fixed. Nothing of it is expected, and it has no lines that wait for a shipment. */
export const cancelledOrders = `
alter table purchase_orders add column cancelled_at timestamptz;
alter table purchase_order_search drop constraint purchase_order_search_state_check;
alter table purchase_order_search add constraint purchase_order_search_state_check
  check (state in ('open', 'partly_assigned', 'assigned', 'shipped', 'cancelled'));
`
