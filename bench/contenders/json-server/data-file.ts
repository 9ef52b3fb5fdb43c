import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import pg, { type Pool } from 'pg'
import type { DatabasePlace } from '../../contender.js'

/** What json-server keeps: one file with the shipments and the orders of the account that has most of them. */

/** Answers whose they are. */
export async function writeDataFile(place: DatabasePlace, file: string): Promise<string> {
  const { socketFolder, port, user } = place
  const pool = new pg.Pool({ host: socketFolder, port, user, database: 'waybill', max: 1 })
  try {
    const { rows } = await pool.query<{ account_id: number; slug: string }>(
      `select account_id, slug from accounts join shipments using (account_id)
      group by account_id order by count(*) desc, account_id limit 1`,
    )
    const [largest] = rows
    if (!largest) throw new Error('no account has a shipment')
    const out = createWriteStream(file)
    await write(out, '{"shipments":[')
    await writeItems(pool, out, largest.account_id, 'shipments', 'svc_shipment_id')
    await write(out, '],"orders":[')
    await writeItems(pool, out, largest.account_id, 'purchase_orders', 'reference')
    out.end(']}')
    await finished(out)
    return largest.slug
  } finally {
    await pool.end()
  }
}

type Stored = { id: string; place: string; body: string }

async function writeItems(pool: Pool, out: WriteStream, account: number, table: string, id: string): Promise<void> {
  let last = { place: String(Number.MIN_SAFE_INTEGER), id: '' }
  let separator = ''
  while (true) {
    const { rows } = await pool.query<Stored>(
      `select ${id} as id, newest_first::text as place, body from ${table}
      where account_id = $1 and (newest_first, ${id}) > ($2, $3)
      order by newest_first, ${id} limit 1000`,
      [account, last.place, last.id],
    )
    const [newLast] = rows.slice(-1)
    if (!newLast) return
    last = newLast
    await write(out, separator + rows.map(itemOf).join(','))
    separator = ','
  }
}

/** The body as it is, with what json-server finds it by and what the list is sorted by. */
function itemOf({ id, place, body }: Stored): string {
  return `{"id":${JSON.stringify(id)},"newest_first":${place},${body.slice(1)}`
}

async function write(out: WriteStream, text: string): Promise<void> {
  if (!out.write(text)) await once(out, 'drain')
}
