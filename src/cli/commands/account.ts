import { type Command, Option } from 'commander'
import { AccountData, Slug } from '../../contract/import-line.js'
import { type QuotaName, type Quotas, quotaNames } from '../../contract/operator/quotas.js'
import { validatorOf } from '../../contract/validation.js'
import { limitOf } from '../../domain/accounts/quotas.js'
import { commit } from '../../ledger/commit.js'
import { findAccount, listAccountRows } from '../../store/accounts.js'
import { getAccountBySlug } from '../../usecases/accounts/account-record.js'
import { createAccount } from '../../usecases/accounts/create-account.js'
import { changeAccount } from '../../usecases/accounts/update-account.js'
import { Failure } from '../failure.js'
import { withStorage } from '../open-storage.js'
import { readSettings } from '../settings.js'
import { table } from '../table.js'

type QuotaFlag = 'requestsPerMinute' | 'concurrentRequests' | 'storedBytes' | 'documents'
type QuotaFlags = Partial<Record<QuotaFlag, number | null>> & { json?: true }

export function addTo(program: Command): void {
  const account = program
    .command('account')
    .description('create and list accounts, and set their quotas and sign-in rules')

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
          .map(() => 'the slug may contain up to 63 lower-case letters, digits and inner hyphens'),
        ...validatorOf(AccountData)
          .faultsIn({ name: flags.name })
          .map(({ detail }) => `the name ${detail}`),
      ]
      if (faults.length > 0) throw new Failure(faults.join('; '), 2)
      await withStorage(readSettings(process.env), async ({ db }) => {
        const created = await createAccount(db, slug, flags.name)
        if (created === undefined) throw new Failure(`the account ${slug} already exists`)
        console.log(flags.json ? JSON.stringify({ slug, name: flags.name }) : `Created the account ${slug}.`)
      })
    })

  const quota = account
    .command('quota')
    .argument('<slug>', 'the account')
    .option('--json', 'print the result as JSON')
    .description('show the quotas of an account and what it uses, or set them')
  for (const name of quotaNames) {
    quota.option(`--${name.replaceAll('_', '-')} <limit>`, 'a whole number, 0 for no limit, or default', quotaOf)
  }
  quota.action(async (slug: string, { json, ...given }: QuotaFlags) => {
    const settings = readSettings(process.env)
    await withStorage(settings, async ({ db }) => {
      const found = await findAccount(db, slug)
      if (found === undefined) throw new Failure(`there is no account ${slug}`)
      const change = Object.fromEntries(
        quotaNames.flatMap((name) => (given[flagOf(name)] === undefined ? [] : [[name, given[flagOf(name)]]])),
      )
      await commit(db, found, 'command-line', (tx) => changeAccount(tx, found, { quotas: change }))
      const { quotas, stored_bytes, counts } = await getAccountBySlug(db, slug)
      const used: Quotas = { stored_bytes, documents: counts.documents }
      const rows = quotaNames.map((name) => ({
        quota: name,
        limit: limitOf(name, quotas, settings.quotas) ?? 0,
        is_default: quotas[name] === undefined,
        used: used[name] ?? null,
      }))
      console.log(json ? JSON.stringify(rows) : table(rows.map(describeQuota)))
    })
  })

  account
    .command('security')
    .argument('<slug>', 'the account')
    .addOption(
      new Option('--second-factor <rule>', 'whether people who sign in with a password need a second factor').choices([
        'required',
        'optional',
      ]),
    )
    .option('--json', 'print the result as JSON')
    .description('show how the people of an account have to sign in, or set it')
    .action(async (slug: string, flags: { secondFactor?: 'required' | 'optional'; json?: true }) => {
      await withStorage(readSettings(process.env), async ({ db }) => {
        const found = await findAccount(db, slug)
        if (found === undefined) throw new Failure(`there is no account ${slug}`)
        if (flags.secondFactor !== undefined) {
          const second_factor_required = flags.secondFactor === 'required'
          await commit(db, found, 'command-line', (tx) => changeAccount(tx, found, { second_factor_required }))
        }
        const { second_factor_required } = await getAccountBySlug(db, slug)
        const text = `A second factor is ${second_factor_required ? 'required' : 'optional'}.`
        console.log(flags.json ? JSON.stringify({ second_factor_required }) : text)
      })
    })

  account
    .command('sign-in')
    .argument('<slug>', 'the account')
    .requiredOption('--provider-only <on|off>', "whether its people may sign in with the company's provider only")
    .option('--json', 'print the result as JSON')
    .description('set how the people of an account may sign in; sessions that it no longer allows end immediately')
    .action(async (slug: string, flags: { providerOnly: string; json?: true }) => {
      if (!['on', 'off'].includes(flags.providerOnly)) throw new Failure('--provider-only must be on or off', 2)
      const provider_only = flags.providerOnly === 'on'
      await withStorage(readSettings(process.env), async ({ db }) => {
        const found = await findAccount(db, slug)
        if (found === undefined) throw new Failure(`there is no account ${slug}`)
        await commit(db, found, 'command-line', (tx) => changeAccount(tx, found, { provider_only }))
        const text = provider_only
          ? `The people of ${slug} can sign in with the company's provider only.`
          : `The people of ${slug} can sign in with a password, too.`
        console.log(flags.json ? JSON.stringify({ slug, provider_only }) : text)
      })
    })

  account
    .command('list')
    .option('--json', 'print the result as JSON')
    .description('list accounts')
    .action(async (flags: { json?: true }) => {
      await withStorage(readSettings(process.env), async ({ db }) => {
        const accounts = (await listAccountRows(db)).map(({ slug, name, created_at }) => ({
          slug,
          name,
          created_at: created_at.toISOString(),
        }))
        console.log(flags.json ? JSON.stringify(accounts) : table(accounts))
      })
    })
}

/** Null returns to the default. */
function quotaOf(text: string): number | null {
  if (text === 'default') return null
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new Failure(`a quota must be a whole number or default, not ${text}`, 2)
}

function flagOf(name: QuotaName): QuotaFlag {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()) as QuotaFlag
}

type QuotaRow = { quota: string; limit: number; is_default: boolean; used: number | null }

function describeQuota({ quota, limit, is_default, used }: QuotaRow) {
  return { quota, limit: `${limit || 'none'}${is_default ? ' (default)' : ''}`, used: String(used ?? '') }
}
