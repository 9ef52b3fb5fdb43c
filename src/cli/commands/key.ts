import type { Command } from 'commander'
import { type Scope, scopes } from '../../contract/public/operations.js'
import type { AccountId } from '../../database/account-id.js'
import type { Database } from '../../database/database.js'
import { isNetwork } from '../../domain/accounts/networks.js'
import { findAccount, getAccountRow } from '../../store/accounts.js'
import { findKeyAccount, listKeyRows } from '../../store/keys.js'
import { type IssuedKey, issueKey } from '../../usecases/accounts/create-key.js'
import { forwarderKeyMails } from '../../usecases/accounts/mail-new-key.js'
import { revokeAnyKey } from '../../usecases/accounts/revoke-key.js'
import { rotateAnyKey } from '../../usecases/accounts/rotate-key.js'
import { expiryOf } from '../expiry.js'
import { Failure } from '../failure.js'
import { mailSender } from '../mail.js'
import { withStorage } from '../open-storage.js'
import { baseOf } from '../portal-address.js'
import { readSettings, type Settings } from '../settings.js'
import { table } from '../table.js'

type CreateFlags = { account: string; scope: string; name?: string; expires?: string; network?: string; json?: true }
type RotateFlags = { oldUntil?: string; expires?: string; json?: true }

export function addTo(program: Command): void {
  const key = program.command('key').description('create, list, rotate and revoke the keys of accounts')

  key
    .command('create')
    .requiredOption('--account <slug>', 'the account of the key')
    .option('--scope <scopes>', `separated by commas: ${scopes.join(', ')}`, 'read,write')
    .option('--name <name>', 'a name for the key, such as its purpose')
    .option('--expires <date>', 'expiry: last day (UTC), or date and time with offset')
    .option('--network <networks>', 'addresses and networks (CIDR) that it works from, separated by commas')
    .option('--json', 'print the result as JSON')
    .description('create a key and print it; it cannot be shown again')
    .action(async (flags: CreateFlags) => {
      const given = {
        scopes: scopesOf(flags.scope),
        expires_at: expiryOf(flags.expires),
        name: flags.name,
        networks: networksOf(flags.network),
      }
      const settings = readSettings(process.env)
      const mail = keyMailer(settings)
      await withStorage(settings, async ({ db }) => {
        const account = await getAccount(db, flags.account)
        const created = await issueKey(db, account, given)
        await mail(db, account, created)
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
    .command('rotate')
    .argument('<key_id>', 'the key_id shown by `key list`')
    .option(
      '--old-until <date>',
      'when the old key ends: last day (UTC), or date and time with offset (default: in 24 hours)',
    )
    .option('--expires <date>', 'expiry of the new key (default: as long as the old one was to work)')
    .option('--json', 'print the result as JSON')
    .description('replace a key: print a new one, which works at once, while the old one works until it ends')
    .action(async (keyId: string, flags: RotateFlags) => {
      const [old_until, expires_at] = [expiryOf(flags.oldUntil), expiryOf(flags.expires)].map((each) =>
        each?.toISOString(),
      )
      const rotation = { ...(old_until && { old_until }), ...(expires_at && { expires_at }) }
      const settings = readSettings(process.env)
      const mail = keyMailer(settings)
      await withStorage(settings, async ({ db }) => {
        const account = await findKeyAccount(db, keyId)
        const created = await rotateAnyKey(db, keyId, rotation)
        if (!created || account === undefined) throw new Failure(`there is no key ${keyId}`)
        await mail(db, account, created)
        console.log(flags.json ? JSON.stringify({ ...created, replaces: keyId }) : created.key)
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

/** Notifies the admins of an account of a new key, if a mail server is set. */
function keyMailer(settings: Settings) {
  if (!settings.mail) return async () => {}
  const { forwarderName } = settings
  const [base, sendMail] = [baseOf(settings, 'portal'), mailSender(settings)]
  return async (db: Database, account: AccountId, created: IssuedKey) => {
    const { name: accountName } = await getAccountRow(db, account)
    const mails = await forwarderKeyMails(db, account, { base, forwarderName, accountName }, created)
    await Promise.all(mails.map(sendMail))
  }
}

async function getAccount(db: Database, slug: string): Promise<AccountId> {
  const account = await findAccount(db, slug)
  if (account === undefined) throw new Failure(`there is no account ${slug}`)
  return account
}

function scopesOf(text: string): Scope[] {
  const given = text.split(',').map((scope) => scope.trim())
  const unknown = given.filter((scope) => !(scopes as readonly string[]).includes(scope))
  if (unknown.length > 0) throw new Failure(`--scope ${text}: the scopes are ${scopes.join(', ')}`, 2)
  return scopes.filter((scope) => given.includes(scope))
}

function networksOf(text: string | undefined): string[] | undefined {
  const networks = text?.split(',').map((network) => network.trim())
  const wrong = networks?.find((network) => !isNetwork(network))
  if (wrong !== undefined) throw new Failure(`--network ${wrong}: not an IP address or a network`, 2)
  return networks
}

function rowOf(key: Awaited<ReturnType<typeof listKeyRows>>[number]): Record<string, string> {
  return {
    key_id: key.key_id,
    account: key.account,
    name: key.name ?? '',
    ends_in: key.hint,
    scopes: key.scopes.join(','),
    networks: key.networks?.join(',') ?? '',
    created_by: key.created_by_name ?? key.created_by ?? '',
    created: key.created_at.toISOString(),
    expires: key.expires_at?.toISOString() ?? '',
    revoked: key.revoked_at?.toISOString() ?? '',
  }
}
