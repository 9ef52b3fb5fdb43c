import type { Command } from 'commander'
import { bringUpToDate, withConnection } from '../open-storage.js'
import { readSettings, withFlags } from '../settings.js'

export function addTo(program: Command): void {
  program
    .command('migrate')
    .description('bring the database up to date: its schema, and what is derived from its records')
    .option('--wait-for-database <seconds>', 'wait for the database to respond (WAYBILL_WAIT_FOR_DATABASE)')
    .option('--json', 'print the result as JSON')
    .action(async (flags: { waitForDatabase?: string; json?: true }) => {
      const settings = readSettings(withFlags(process.env, flags))
      const { from, to } = await withConnection(settings, (storage) => bringUpToDate(storage.db))
      const text = from === to ? `The schema is up to date (version ${to}).` : `Migrated from version ${from} to ${to}.`
      console.log(flags.json ? JSON.stringify({ from, to }) : text)
    })
}
