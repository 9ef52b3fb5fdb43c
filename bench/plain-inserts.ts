import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { openDatabase, type TransactionSql } from '../src/storage/database.js'
import { tellMeasured } from './measured.js'

/** Lines of `table, tab, row as JSON`: nothing is parsed or made here, only sent. */

const [file, url] = process.argv.slice(2) as [string, string]
const db = openDatabase({ url }, { connections: 1 })
await db`select 1`
await tellMeasured(async () => {
  await db.begin(async (sql) => {
    let table = ''
    let rows: string[] = []
    for await (const line of createInterface({ input: createReadStream(file) })) {
      const tab = line.indexOf('\t')
      const next = line.slice(0, tab)
      if (rows.length === 500 || next !== table) {
        await insert(sql, table, rows)
        table = next
        rows = []
      }
      rows.push(line.slice(tab + 1))
    }
    await insert(sql, table, rows)
  })
})
await db.end()

async function insert(sql: TransactionSql, table: string, rows: string[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into ${sql(table)} overriding system value
    select * from jsonb_populate_recordset(null::${sql(table)}, ${`[${rows.join(',')}]`}::text::jsonb)`
}
