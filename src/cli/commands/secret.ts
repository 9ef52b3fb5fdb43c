import type { Command } from 'commander'
import { renewServiceSecrets } from '../../storage/service.js'
import { withStorage } from '../open-storage.js'
import { readSettings } from '../settings.js'

export function addTo(program: Command): void {
  const secret = program.command('secret').description('the secret that links to documents are sealed with')

  secret
    .command('renew')
    .option('--json', 'print the result as JSON')
    .description('draw a new one: links to documents that were given out end at once, everywhere')
    .action(async (flags: { json?: true }) => {
      await withStorage(readSettings(process.env), ({ db }) => db.begin(renewServiceSecrets))
      const text = 'Renewed the secret of links. Those that were given out are no longer good.'
      console.log(flags.json ? JSON.stringify({ renewed: true }) : text)
    })
}
