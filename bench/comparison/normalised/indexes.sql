-- Keys and indexes, created after the rows are loaded. Lists are read from an index in their order.

alter table accounts add primary key (id);
alter table keys add primary key (id), add unique (hash);
alter table shipments add primary key (id), add unique (account_id, svc_shipment_id);
alter table containers add primary key (id), add unique (shipment_id, position);
alter table loads add primary key (id), add unique (shipment_id, position);
alter table purchase_orders add primary key (id), add unique (account_id, reference);
alter table order_lines add primary key (id), add unique (purchase_order_id, position);
alter table assigned_lines add primary key (id), add unique (order_line_id, position);
alter table shipped_lines add primary key (id), add unique (assigned_line_id, position);
alter table idempotency_keys add primary key (account_id, key);

create index shipments_newest_first on shipments (account_id, listed_at desc, svc_shipment_id) include (id);
create index purchase_orders_newest_first on purchase_orders (account_id, listed_at desc, reference) include (id);
create index assigned_lines_by_shipment on assigned_lines (shipment_id);

alter table keys add foreign key (account_id) references accounts;
alter table shipments add foreign key (account_id) references accounts;
alter table containers add foreign key (shipment_id) references shipments on delete cascade;
alter table loads add foreign key (shipment_id) references shipments on delete cascade;
alter table purchase_orders add foreign key (account_id) references accounts;
alter table order_lines add foreign key (purchase_order_id) references purchase_orders on delete cascade;
alter table assigned_lines add foreign key (order_line_id) references order_lines on delete cascade,
  add foreign key (shipment_id) references shipments;
alter table shipped_lines add foreign key (assigned_line_id) references assigned_lines on delete cascade;
alter table idempotency_keys add foreign key (account_id) references accounts;
