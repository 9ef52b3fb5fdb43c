import type { Command } from 'commander'
import { type MigrationPlan, planMigration } from '../../database/migration-plan.js'
import { bringUpToDate, withConnection } from '../open-storage.js'
import { readSettings, withFlags } from '../settings.js'
import { table } from '../table.js'

export function addTo(program: Command): void {
  program
    .command('migrate')
    .description('bring the database up to date: its schema, and what is derived from its records')
    .option('--wait-for-database <seconds>', 'wait for the database to respond (WAYBILL_WAIT_FOR_DATABASE)')
    .option('--plan', 'print what it would do, what that blocks and on how many rows, and change nothing')
    .option('--json', 'print the result as JSON')
    .action(async ({ plan, json, ...flags }: { waitForDatabase?: string; plan?: true; json?: true }) => {
      const settings = readSettings(withFlags(process.env, flags))
      if (plan) {
        const planned = await withConnection(settings, (storage) => planMigration(storage.db))
        console.log(json ? JSON.stringify(planned) : planText(planned))
        return
      }
      const { from, to } = await withConnection(settings, (storage) => bringUpToDate(storage.db))
      const text = from === to ? `The schema is up to date (version ${to}).` : `Migrated from version ${from} to ${to}.`
      console.log(json ? JSON.stringify({ from, to }) : text)
    })
}

function planText({ from, to, migrations }: MigrationPlan): string {
  if (from === to) return `The schema is up to date (version ${to}): a migration would change nothing.`
  const rows = migrations.flatMap(({ version, name, statements }) =>
    statements.map(({ statement, table: concerned = '', blocks, rows: count, seconds }, index) => ({
      version: index === 0 ? `${version} ${name}` : '',
      statement,
      table: concerned,
      blocks,
      rows: count === 0 ? '' : String(count),
      takes: count === 0 ? '' : seconds === 0 ? 'under 1 s' : `about ${seconds} s`,
    })),
  )
  return [
    `From version ${from} to ${to}. Each migration is a transaction, which gives up after half a second and tries again where`,
    'it has to wait for a lock. Indexes are built, and rows filled in batches, after it, without blocking.',
    '',
    table(rows),
  ].join('\n')
}
