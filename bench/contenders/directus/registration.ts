/** Tells Directus, through its own interface, which tables it serves and how they hang together. */

type Child = { table: string; key: string; parent: string; as: string }

const children: Child[] = [
  { table: 'containers', key: 'shipment_id', parent: 'shipments', as: 'containers' },
  { table: 'loads', key: 'shipment_id', parent: 'shipments', as: 'loads' },
  { table: 'order_lines', key: 'purchase_order_id', parent: 'purchase_orders', as: 'lines' },
  { table: 'assigned_lines', key: 'order_line_id', parent: 'order_lines', as: 'assigned' },
  { table: 'shipped_lines', key: 'assigned_line_id', parent: 'assigned_lines', as: 'shipped' },
]

const tables = ['shipments', 'purchase_orders', ...children.map(({ table }) => table)]

export async function register(url: string, token: string): Promise<void> {
  const ask = asker(url, token)
  // Nothing is written beside an item: no activity, no revision.
  for (const table of tables) await ask('PATCH', `/collections/${table}`, { meta: { accountability: null } })
  for (const { table, key, parent, as } of children) {
    await ask('POST', `/fields/${parent}`, { field: as, type: 'alias', schema: null, meta: { special: ['o2m'] } })
    const meta = { one_field: as, sort_field: 'position', one_deselect_action: 'delete' }
    // The foreign key is made anew: as it was.
    const schema = { on_delete: 'CASCADE' }
    const relation = { collection: table, field: key, related_collection: parent, schema, meta }
    await ask('PATCH', `/relations/${table}/${key}`, relation)
  }
}

type Ask = (method: 'POST' | 'PATCH', path: string, body: unknown) => Promise<void>

function asker(url: string, token: string): Ask {
  return async (method, path, body) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const request = { method, headers, body: JSON.stringify(body) }
    const response = await fetch(`${url}${path}`, request)
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} is answered with ${response.status}: ${text.slice(0, 500)}`)
  }
}
