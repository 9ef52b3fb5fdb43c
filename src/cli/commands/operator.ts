import { type Command, Option } from 'commander'
import { type OperatorRole, operatorRoles } from '../../contract/operator/accounts.js'
import { languages } from '../../contract/portal/people.js'
import { type AccountId, forwarderAccount } from '../../database/account-id.js'
import type { Database } from '../../database/database.js'
import { commit } from '../../ledger/commit.js'
import { findAccount, getAccountRow, saveForwarderAccount } from '../../store/accounts.js'
import { listOperators, type OperatorRow } from '../../store/operators.js'
import { listPersonRows } from '../../store/people.js'
import { createOperatorWithKey, endOperator } from '../../usecases/accounts/create-operator.js'
import { changeAccount } from '../../usecases/accounts/update-account.js'
import { personResponse } from '../../usecases/people/session-response.js'
import { expiryOf } from '../expiry.js'
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

type CreateFlags = { name: string; role: string; accounts?: string; expires?: string; json?: true }

const accountsFlag = [
  '--accounts <slugs>',
  'the accounts they work for, separated by commas; without it, all of them',
] as const

export function addTo(program: Command): void {
  const operator = program
    .command('operator')
    .description('manage the operators of the forwarder: systems with keys, and people who sign in to the office')
  addKeyCommands(operator)
  addOfficeCommands(operator)
  addPersonCommands(operator, 'office')
}

function addKeyCommands(operator: Command): void {
  operator
    .command('create')
    .requiredOption('--name <name>', 'the name of the system')
    .option('--role <role>', `one of ${operatorRoles.join(', ')}`, 'operations')
    .option(...accountsFlag)
    .option('--expires <date>', 'expiry: last day (UTC), or date and time with offset')
    .option('--json', 'print the result as JSON')
    .description('create an operator with a key, for a system, and print the key; it cannot be shown again')
    .action(async (flags: CreateFlags) => {
      const given = { name: nameOf(flags.name), role: roleOf(flags.role), expires_at: expiryOf(flags.expires) }
      await withStorage(readSettings(process.env), async ({ db }) => {
        const accounts = await accountsOf(db, flags.accounts)
        const created = await createOperatorWithKey(db, { ...given, accounts })
        console.log(flags.json ? JSON.stringify(created) : created.key)
      })
    })

  operator
    .command('list')
    .option('--json', 'print the result as JSON')
    .description('list operators with keys (only hashes of the keys are stored)')
    .action(async (flags: { json?: true }) => {
      await withStorage(readSettings(process.env), async ({ db }) => {
        const operators = await listOperators(db)
        console.log(flags.json ? JSON.stringify(operators) : table(operators.map(rowOf)))
      })
    })

  operator
    .command('revoke')
    .argument('<operator_id>', 'the operator_id shown by `operator list`')
    .option('--json', 'print the result as JSON')
    .description('revoke an operator with a key, with immediate effect on every process')
    .action(async (operatorId: string, flags: { json?: true }) => {
      await withStorage(readSettings(process.env), async ({ db }) => {
        if (!(await endOperator(db, operatorId))) throw new Failure(`there is no operator ${operatorId}`)
        const text = `Revoked the operator ${operatorId}.`
        console.log(flags.json ? JSON.stringify({ operator_id: operatorId, revoked: true }) : text)
      })
    })
}

function addOfficeCommands(operator: Command): void {
  operator
    .command('add')
    .requiredOption('--email <address>', 'their e-mail address')
    .requiredOption('--name <name>', 'their name')
    .option('--role <role>', `one of ${operatorRoles.join(', ')}`, 'operations')
    .option(...accountsFlag)
    .option('--language <language>', `one of ${languages.join(', ')}`, 'en')
    .option('--json', 'print the result as JSON')
    .description('add a person who signs in to the office, and print the link to choose a password')
    .action(async (flags: InvitationFlags & { accounts?: string }) => {
      const given = invitationOf(flags, operatorRoles)
      const settings = readSettings(process.env)
      const place = { site: 'office', base: baseOf(settings, 'office') } as const
      await withStorage(settings, async ({ db }) => {
        await saveForwarderAccount(db, settings.forwarderName)
        const accounts = await accountsOf(db, flags.accounts)
        const created = await inviteWithLink(db, forwarderAccount, { ...given, accounts }, place)
        console.log(flags.json ? JSON.stringify(created) : created.link)
      })
    })

  operator
    .command('people')
    .option('--json', 'print the result as JSON')
    .description('list the people who sign in to the office')
    .action(async (flags: { json?: true }) => {
      await withStorage(readSettings(process.env), async ({ db }) => {
        const people = (await listPersonRows(db, forwarderAccount)).map((row) => ({
          ...personResponse(row),
          ...(row.accounts && { accounts: row.accounts }),
        }))
        const rows = people.map(({ accounts, ...person }) => ({
          ...personColumns(person),
          accounts: accounts?.join(', ') ?? 'all',
        }))
        console.log(flags.json ? JSON.stringify(people) : table(rows))
      })
    })

  operator
    .command('security')
    .addOption(
      new Option(
        '--second-factor <rule>',
        'whether operators who sign in with a password need a second factor',
      ).choices(['required', 'optional']),
    )
    .addOption(
      new Option('--provider-only <rule>', "whether operators may sign in with the company's provider only").choices([
        'on',
        'off',
      ]),
    )
    .option('--json', 'print the result as JSON')
    .description('show how operators have to sign in to the office, or set it')
    .action(async (flags: SecurityFlags) => {
      const settings = readSettings(process.env)
      await withStorage(settings, async ({ db }) => {
        const { secondFactor, providerOnly } = flags
        await saveForwarderAccount(db, settings.forwarderName)
        const change = {
          ...(secondFactor && { second_factor_required: secondFactor === 'required' }),
          ...(providerOnly && { provider_only: providerOnly === 'on' }),
        }
        await commit(db, forwarderAccount, 'command-line', (tx) => changeAccount(tx, forwarderAccount, change))
        const { second_factor_required, provider_only } = await getAccountRow(db, forwarderAccount)
        const text = `A second factor is ${second_factor_required ? 'required' : 'optional'}.`
        const means = provider_only ? "\nOperators sign in with the company's provider only." : ''
        console.log(flags.json ? JSON.stringify({ second_factor_required, provider_only }) : text + means)
      })
    })
}

type SecurityFlags = { secondFactor?: 'required' | 'optional'; providerOnly?: 'on' | 'off'; json?: true }

async function accountsOf(db: Database, flag: string | undefined): Promise<AccountId[] | undefined> {
  if (flag === undefined) return undefined
  const slugs = flag.split(',').map((slug) => slug.trim())
  const found = await Promise.all(slugs.map((slug) => findAccount(db, slug)))
  const unknown = slugs.filter((_, index) => found[index] === undefined)
  if (unknown.length > 0) throw new Failure(`--accounts: there is no account ${unknown.join(', ')}`, 2)
  return found.flatMap((account) => account ?? [])
}

function nameOf(text: string): string {
  if (text.trim() === '' || text.length > 255) throw new Failure('--name must have 1 to 255 characters', 2)
  return text
}

function roleOf(text: string): OperatorRole {
  const role = operatorRoles.find((known) => known === text)
  if (!role) throw new Failure(`--role ${text}: the roles are ${operatorRoles.join(', ')}`, 2)
  return role
}

function rowOf(operator: OperatorRow): Record<string, string> {
  return {
    operator_id: operator.operator_id,
    name: operator.name,
    role: operator.role,
    accounts: operator.accounts?.join(', ') ?? 'all',
    ends_in: operator.hint,
    created: operator.created_at.toISOString(),
    expires: operator.expires_at?.toISOString() ?? '',
    revoked: operator.revoked_at?.toISOString() ?? '',
  }
}
