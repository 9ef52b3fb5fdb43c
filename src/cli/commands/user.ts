import type { Command } from 'commander'
import { languages, personRoles } from '../../contract/portal/people.js'
import type { AccountId } from '../../database/account-id.js'
import type { Database } from '../../database/database.js'
import { findAccount } from '../../store/accounts.js'
import { listPersonRows } from '../../store/people.js'
import { personResponse } from '../../usecases/people/session-response.js'
import { Failure } from '../failure.js'
import { withStorage } from '../open-storage.js'
import {
  addPersonCommands,
  type InvitationFlags,
  invitationOf,
  inviteWithLink,
  personColumns,
} from '../person-commands.js'
import { baseOf } from '../portal-address.js'
import { readSettings } from '../settings.js'
import { table } from '../table.js'

export function addTo(program: Command): void {
  const user = program.command('user').description('manage the people of accounts, who sign in to the portal')

  user
    .command('create')
    .requiredOption('--account <slug>', 'their account')
    .requiredOption('--email <address>', 'their e-mail address')
    .requiredOption('--name <name>', 'their name')
    .option('--role <role>', `one of ${personRoles.join(', ')}`, 'admin')
    .option('--language <language>', `one of ${languages.join(', ')}`, 'en')
    .option('--json', 'print the result as JSON')
    .description('invite a person, and print the link to choose a password')
    .action(async (flags: InvitationFlags & { account: string }) => {
      const given = invitationOf(flags, personRoles)
      const settings = readSettings(process.env)
      const place = { site: 'portal', base: baseOf(settings, 'portal') } as const
      await withStorage(settings, async ({ db }) => {
        const account = await getAccount(db, flags.account)
        const created = { account: flags.account, ...(await inviteWithLink(db, account, given, place)) }
        console.log(flags.json ? JSON.stringify(created) : created.link)
      })
    })

  user
    .command('list')
    .option('--account <slug>', 'only the people of this account')
    .option('--json', 'print the result as JSON')
    .description('list people')
    .action(async (flags: { account?: string; json?: true }) => {
      await withStorage(readSettings(process.env), async ({ db }) => {
        const account = flags.account === undefined ? undefined : await getAccount(db, flags.account)
        const people = (await listPersonRows(db, account)).map((row) => ({
          account: row.account,
          ...personResponse(row),
        }))
        console.log(
          flags.json
            ? JSON.stringify(people)
            : table(people.map((person) => ({ account: person.account, ...personColumns(person) }))),
        )
      })
    })

  addPersonCommands(user, 'portal')
}

async function getAccount(db: Database, slug: string): Promise<AccountId> {
  const account = await findAccount(db, slug)
  if (account === undefined) throw new Failure(`there is no account ${slug}`)
  return account
}
