import type { Command } from 'commander'
import { migrate } from '../../storage/migrate.js'
import { connectStorage } from '../open-storage.js'
import { readSettings } from '../settings.js'

export function addTo(program: Command): void {
  program
    .command('migrate')
    .description('bring the database schema up to date')
    .option('--json', 'print the result as JSON')
    .action(async (flags: { json?: true }) => {
      const storage = await connectStorage(readSettings(process.env))
      try {
        const { from, to } = await migrate(storage.db)
        const text =
          from === to ? `The schema is up to date (version ${to}).` : `Migrated from version ${from} to ${to}.`
        console.log(flags.json ? JSON.stringify({ from, to }) : text)
      } finally {
        await storage.close()
      }
    })
}
