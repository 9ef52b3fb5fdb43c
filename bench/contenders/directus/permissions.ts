/** What the user of an account may do. */

export type Permission = {
  collection: string
  action: 'read' | 'create' | 'update' | 'delete'
  permissions?: object
  presets?: object
  fields: string
}

const orderFields = 'supplier_id,desired_ex_factory_date,desired_delivery_date,custom_parameters,lines'

/**
 * With the account itself in each rule. One set of rules for all, with `$CURRENT_USER.account_id` in them, takes
 * Directus a dozen queries more for each request.
 */
export function permissionsOf(account_id: number): Permission[] {
  const own = { account_id: { _eq: account_id } }
  const ofOwnOrder = { purchase_order_id: own }
  const notAssigned = { lines: { _none: { assigned: { id: { _nnull: true } } } } }
  const readable = {
    shipments: own,
    purchase_orders: own,
    // A child belongs to whom its parent belongs to.
    containers: { shipment_id: own },
    loads: { shipment_id: own },
    order_lines: ofOwnOrder,
    assigned_lines: { order_line_id: ofOwnOrder },
    shipped_lines: { assigned_line_id: { order_line_id: ofOwnOrder } },
  }
  return [
    ...Object.entries(readable).map(([collection, permissions]) => ({
      collection,
      action: 'read' as const,
      permissions,
      fields: '*',
    })),
    {
      collection: 'purchase_orders',
      action: 'create',
      presets: { account_id },
      fields: `reference,${orderFields}`,
    },
    {
      collection: 'purchase_orders',
      action: 'update',
      permissions: { _and: [own, notAssigned] },
      fields: orderFields,
    },
    { collection: 'order_lines', action: 'create', fields: '*' },
    { collection: 'order_lines', action: 'update', permissions: ofOwnOrder, fields: '*' },
    { collection: 'order_lines', action: 'delete', permissions: ofOwnOrder, fields: '*' },
  ]
}
