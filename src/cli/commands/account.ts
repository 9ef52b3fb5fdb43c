import type { Command } from 'commander'
import { AccountData, Slug } from '../../contract/import-line.js'
import { validatorOf } from '../../contract/validation.js'
import { createAccount } from '../../operator/accounts.js'
import { listAccounts } from '../../storage/accounts.js'
import { Failure } from '../failure.js'
import { withStorage } from '../open-storage.js'
import { readSettings } from '../settings.js'
import { table } from '../table.js'

export function addTo(program: Command): void {
  const account = program.command('account').description('create and list accounts')

  account
    .command('create')
    .argument('<slug>', 'short name: lower-case letters, digits, hyphens')
    .requiredOption('--name <name>', "the company's name")
    .option('--json', 'print the result as JSON')
    .description('create an account')
    .action(async (slug: string, flags: { name: string; json?: true }) => {
      const faults = [
        ...validatorOf(Slug)
          .faultsIn(slug)
          .map(() => 'the slug may hold lower-case letters, digits and inner hyphens, 63 at most'),
        ...validatorOf(AccountData)
          .faultsIn({ name: flags.name })
          .map(({ detail }) => `the name ${detail}`),
      ]
      if (faults.length > 0) throw new Failure(faults.join('; '), 2)
      await withStorage(readSettings(process.env), async ({ db }) => {
        const created = await createAccount(db, slug, flags.name)
        if (created === undefined) throw new Failure(`there is an account ${slug} already`)
        console.log(flags.json ? JSON.stringify({ slug, name: flags.name }) : `Created the account ${slug}.`)
      })
    })

  account
    .command('list')
    .option('--json', 'print the result as JSON')
    .description('list accounts')
    .action(async (flags: { json?: true }) => {
      await withStorage(readSettings(process.env), async ({ db }) => {
        const accounts = (await listAccounts(db)).map(({ slug, name, created_at }) => ({
          slug,
          name,
          created_at: created_at.toISOString(),
        }))
        console.log(flags.json ? JSON.stringify(accounts) : table(accounts))
      })
    })
}
