import type { Command } from 'commander'
import {
  Email,
  type Language,
  languages,
  PersonName,
  type PersonRole,
  personRoles,
} from '../../contract/portal/people.js'
import { validatorOf } from '../../contract/validation.js'
import { linkTo } from '../../portal-api/mail.js'
import { invite, setDisabled } from '../../portal-api/membership.js'
import { newToken } from '../../portal-api/passwords.js'
import { personAnswer } from '../../portal-api/session-answer.js'
import { findAccount } from '../../storage/accounts.js'
import type { Database, Reader } from '../../storage/database.js'
import { type Credentials, findCredentials, listPeople } from '../../storage/people.js'
import { createLink } from '../../storage/personal-links.js'
import { endAllSessions, endSessions } from '../../storage/sessions.js'
import type { AccountId } from '../../storage/transaction.js'
import { Failure } from '../failure.js'
import { withStorage } from '../open-storage.js'
import { readSettings, type Settings } from '../settings.js'
import { table } from '../table.js'

type CreateFlags = {
  account: string
  email: string
  name: string
  role: string
  language: string
  json?: true
}

export function addTo(program: Command): void {
  const user = program.command('user').description('the people of accounts, who sign in to the portal')

  user
    .command('create')
    .requiredOption('--account <slug>', 'the account they belong to')
    .requiredOption('--email <address>', 'what they sign in with')
    .requiredOption('--name <name>', 'who they are')
    .option('--role <role>', `one of ${personRoles.join(', ')}`, 'admin')
    .option('--language <language>', `one of ${languages.join(', ')}`, 'en')
    .option('--json', 'print the result as JSON')
    .description('invite somebody, and print the link by which they choose a password')
    .action(async (flags: CreateFlags) => {
      const given = invitedBy(flags)
      const settings = readSettings(process.env)
      const base = baseOf(settings)
      await withStorage(settings, async ({ db }) => {
        const account = await getAccount(db, flags.account)
        const known = await findCredentials(db, given.email)
        if (known) throw new Failure(`somebody has the address ${known.email} already`)
        const { person, token } = await invite(db, account, given)
        const { person_id, email, name, role } = person
        const link = linkTo(base, token)
        const created = { account: flags.account, person_id, email, name, role, link }
        console.log(flags.json ? JSON.stringify(created) : link)
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
        const people = (await listPeople(db, account)).map((row) => ({ account: row.account, ...personAnswer(row) }))
        console.log(flags.json ? JSON.stringify(people) : table(people.map(rowOf)))
      })
    })

  addSwitch(user, 'disable', 'keep somebody from signing in: their sessions end at once')
  addSwitch(user, 'enable', 'let somebody who was disabled sign in again')

  user
    .command('reset')
    .argument('<email>', 'what they sign in with')
    .option('--json', 'print the result as JSON')
    .description('print a link by which somebody chooses a new password; it works once, within an hour')
    .action(async (email: string, flags: { json?: true }) => {
      const settings = readSettings(process.env)
      const base = baseOf(settings)
      await withStorage(settings, async ({ db }) => {
        const { account_id, person_id, isDisabled, email: known } = await getPerson(db, email)
        if (isDisabled) throw new Failure(`${known} is disabled: \`waybill user enable ${known}\` comes first`)
        const token = newToken()
        await createLink(db, account_id, person_id, { token, purpose: 'reset' })
        const link = linkTo(base, token)
        console.log(flags.json ? JSON.stringify({ email: known, link }) : link)
      })
    })

  user
    .command('sign-out')
    .argument('[email]', 'what they sign in with')
    .option('--all', 'everybody, of all accounts')
    .option('--json', 'print the result as JSON')
    .description('end all sessions of somebody, or of everybody: they have to sign in again')
    .action(async (email: string | undefined, flags: { all?: true; json?: true }) => {
      if ((email === undefined) === (flags.all === undefined)) throw new Failure('name somebody, or give --all', 2)
      await withStorage(readSettings(process.env), async ({ db }) => {
        const sessions = email === undefined ? await endAllSessions(db) : await signOut(db, email)
        const text = sessions === 1 ? 'Ended one session.' : `Ended ${sessions} sessions.`
        console.log(flags.json ? JSON.stringify({ sessions }) : text)
      })
    })
}

async function signOut(db: Database, email: string): Promise<number> {
  const { account_id, person_id } = await getPerson(db, email)
  return endSessions(db, account_id, person_id)
}

function addSwitch(user: Command, name: 'disable' | 'enable', description: string): void {
  user
    .command(name)
    .argument('<email>', 'what they sign in with')
    .option('--json', 'print the result as JSON')
    .description(description)
    .action(async (given: string, flags: { json?: true }) => {
      await withStorage(readSettings(process.env), async ({ db }) => {
        const { account_id, person_id, email } = await getPerson(db, given)
        const disabled = name === 'disable'
        await setDisabled(db, account_id, person_id, disabled)
        const text = disabled ? `Disabled ${email}.` : `Enabled ${email}.`
        console.log(flags.json ? JSON.stringify({ email, disabled }) : text)
      })
    })
}

function invitedBy({ email, name, role, language }: CreateFlags) {
  if (validatorOf(Email).faultsIn(email).length > 0) throw new Failure(`--email ${email}: that is no e-mail address`, 2)
  if (validatorOf(PersonName).faultsIn(name).length > 0) throw new Failure('--name must have 1 to 200 characters', 2)
  return { email, name, role: roleOf(role), language: languageOf(language) }
}

function roleOf(text: string): PersonRole {
  const role = personRoles.find((known) => known === text)
  if (!role) throw new Failure(`--role ${text}: the roles are ${personRoles.join(', ')}`, 2)
  return role
}

function languageOf(text: string): Language {
  const language = languages.find((known) => known === text)
  if (!language) throw new Failure(`--language ${text}: the languages are ${languages.join(', ')}`, 2)
  return language
}

/** What the portal's addresses begin with, as far as the settings tell. */
function baseOf({ publicUrl, host, port }: Settings): string {
  if (publicUrl !== undefined) return publicUrl
  if (port === 0) throw new Failure('PORT is 0: set WAYBILL_PUBLIC_URL to the address of the portal', 2)
  // An address to listen on that means every one of this machine.
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

async function getAccount(db: Database, slug: string): Promise<AccountId> {
  const account = await findAccount(db, slug)
  if (account === undefined) throw new Failure(`there is no account ${slug}`)
  return account
}

async function getPerson(db: Reader, email: string): Promise<Credentials> {
  const person = await findCredentials(db, email)
  if (!person) throw new Failure(`nobody has the address ${email}`)
  return person
}

function rowOf(person: { account: string } & ReturnType<typeof personAnswer>): Record<string, string> {
  const { account, email, name, role, status, created_at, last_seen_at = '' } = person
  return { account, email, name, role, status, created: created_at, last_seen: last_seen_at }
}
