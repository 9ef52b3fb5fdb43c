import type { Command } from 'commander'
import { type Scope, scopes } from '../../contract/public/operations.js'
import type { AccountId } from '../../database/account-id.js'
import type { Database } from '../../database/database.js'
import { findAccount } from '../../store/accounts.js'
import { listKeyRows } from '../../store/keys.js'
import { issueKey } from '../../usecases/accounts/create-key.js'
import { revokeAnyKey } from '../../usecases/accounts/revoke-key.js'
import { expiryOf } from '../expiry.js'
import { Failure } from '../failure.js'
import { withStorage } from '../open-storage.js'
import { readSettings } from '../settings.js'
import { table } from '../table.js'

type CreateFlags = { account: string; scope: string; name?: string; expires?: string; json?: true }

export function addTo(program: Command): void {
  const key = program.command('key').description('create, list and revoke the keys of accounts')

  key
    .command('create')
    .requiredOption('--account <slug>', 'the account of the key')
    .option('--scope <scopes>', 'read, write, or both separated by a comma', 'read,write')
    .option('--name <name>', 'a name for the key, such as its purpose')
    .option('--expires <date>', 'expiry: last day (UTC), or date and time with offset')
    .option('--json', 'print the result as JSON')
    .description('create a key and print it; it cannot be shown again')
    .action(async (flags: CreateFlags) => {
      const given = { scopes: scopesOf(flags.scope), expires_at: expiryOf(flags.expires), name: flags.name }
      await withStorage(readSettings(process.env), async ({ db }) => {
        const created = await issueKey(db, await getAccount(db, flags.account), given)
        console.log(
          flags.json ? JSON.stringify({ account: flags.account, ...created, scopes: given.scopes }) : created.key,
        )
      })
    })

  key
    .command('list')
    .option('--account <slug>', 'only the keys of this account')
    .option('--json', 'print the result as JSON')
    .description('list keys (only hashes of the keys themselves are stored)')
    .action(async (flags: { account?: string; json?: true }) => {
      await withStorage(readSettings(process.env), async ({ db }) => {
        const account = flags.account === undefined ? undefined : await getAccount(db, flags.account)
        const keys = await listKeyRows(db, account)
        console.log(flags.json ? JSON.stringify(keys) : table(keys.map(rowOf)))
      })
    })

  key
    .command('revoke')
    .argument('<key_id>', 'the key_id shown by `key list`')
    .option('--json', 'print the result as JSON')
    .description('revoke a key, with immediate effect on every process')
    .action(async (keyId: string, flags: { json?: true }) => {
      await withStorage(readSettings(process.env), async ({ db }) => {
        if (!(await revokeAnyKey(db, keyId))) throw new Failure(`there is no key ${keyId}`)
        console.log(flags.json ? JSON.stringify({ key_id: keyId, revoked: true }) : `Revoked the key ${keyId}.`)
      })
    })
}

async function getAccount(db: Database, slug: string): Promise<AccountId> {
  const account = await findAccount(db, slug)
  if (account === undefined) throw new Failure(`there is no account ${slug}`)
  return account
}

function scopesOf(text: string): Scope[] {
  const given = text.split(',').map((scope) => scope.trim())
  const unknown = given.filter((scope) => !(scopes as readonly string[]).includes(scope))
  if (unknown.length > 0) throw new Failure(`--scope ${text}: the scopes are ${scopes.join(' and ')}`, 2)
  return scopes.filter((scope) => given.includes(scope))
}

function rowOf(key: Awaited<ReturnType<typeof listKeyRows>>[number]): Record<string, string> {
  return {
    key_id: key.key_id,
    account: key.account,
    name: key.name ?? '',
    ends_in: key.hint,
    scopes: key.scopes.join(','),
    created: key.created_at.toISOString(),
    expires: key.expires_at?.toISOString() ?? '',
    revoked: key.revoked_at?.toISOString() ?? '',
  }
}
