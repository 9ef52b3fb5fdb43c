import type { Caller } from '../http/app.js'
import { placeGiven, serve } from '../http/serve.js'
import { openDatabase, prepared } from './database.js'
import { orderWrites } from './order-writes.js'
import { orderQueries } from './orders.js'
import { shipmentQueries } from './shipments.js'

const db = openDatabase(placeGiven())

const callerOf = prepared<{ hash: Buffer }, Caller>((value) =>
  db.selectFrom('keys').select(['account_id', 'can_read', 'can_write']).where('hash', '=', value('hash')),
)

await serve({
  async findCaller(hash) {
    const [caller] = await callerOf(db, { hash })
    return caller
  },
  ...shipmentQueries(db),
  ...orderQueries(db),
  ...orderWrites(db),
})
