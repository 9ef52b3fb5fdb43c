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
import type { AccountId } from '../../database/account-id.js'
import type { Database, Reader } from '../../database/database.js'
import { commit } from '../../ledger/commit.js'
import { linkTo } from '../../mail/messages.js'
import { findAccount } from '../../store/accounts.js'
import { commandLine, forwarderLog, recordAudit } from '../../store/audit.js'
import { type Credentials, findCredentials, listPersonRows } from '../../store/people.js'
import { createLink } from '../../store/personal-links.js'
import { endAllSessions, endSessions } from '../../store/sessions.js'
import { removeFactorsOf } from '../../usecases/factors/administer-factors.js'
import { mailFactorChange } from '../../usecases/factors/factor-changes.js'
import { invite } from '../../usecases/people/invite-person.js'
import { newToken } from '../../usecases/people/passwords.js'
import { personResponse } from '../../usecases/people/session-response.js'
import { setDisabled } from '../../usecases/people/update-role.js'
import { Failure } from '../failure.js'
import { mailSender } from '../mail.js'
import { withStorage } from '../open-storage.js'
import { baseOf } from '../portal-address.js'
import { readSettings } from '../settings.js'
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
    .action(async (flags: CreateFlags) => {
      const given = invitationOf(flags)
      const settings = readSettings(process.env)
      const base = baseOf(settings)
      await withStorage(settings, async ({ db }) => {
        const account = await getAccount(db, flags.account)
        const known = await findCredentials(db, given.email)
        if (known) throw new Failure(`the address ${known.email} is already in use`)
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
        const people = (await listPersonRows(db, account)).map((row) => ({
          account: row.account,
          ...personResponse(row),
        }))
        console.log(flags.json ? JSON.stringify(people) : table(people.map(rowOf)))
      })
    })

  addSwitch(user, 'disable', 'disable a person: they cannot sign in, and their sessions end immediately')
  addSwitch(user, 'enable', 'enable a disabled person again')

  user
    .command('reset')
    .argument('<email>', 'their e-mail address')
    .option('--json', 'print the result as JSON')
    .description('print a link to choose a new password; it works once, within an hour')
    .action(async (email: string, flags: { json?: true }) => {
      const settings = readSettings(process.env)
      const base = baseOf(settings)
      await withStorage(settings, async ({ db }) => {
        const { account_id, person_id, isDisabled, email: known } = await getPerson(db, email)
        if (isDisabled) throw new Failure(`${known} is disabled: run \`waybill user enable ${known}\` first`)
        const token = newToken()
        await createLink(db, account_id, person_id, { token, purpose: 'reset' })
        const act = { kind: 'sign_in', action: 'reset_requested', subject: person_id } as const
        await recordAudit(db, account_id, commandLine, act)
        const link = linkTo(base, token)
        console.log(flags.json ? JSON.stringify({ email: known, link }) : link)
      })
    })

  user
    .command('remove-factors')
    .argument('<email>', 'their e-mail address')
    .option('--json', 'print the result as JSON')
    .description('remove all second factors of a person who has lost them; the person gets a mail')
    .action(async (given: string, flags: { json?: true }) => {
      const settings = readSettings(process.env)
      await withStorage(settings, async ({ db }) => {
        const { account_id, person_id, email, account_name } = await getPerson(db, given)
        const { person, hadFactors } = await commit(db, account_id, 'command-line', (tx) =>
          removeFactorsOf(tx, account_id, person_id, commandLine),
        )
        if (hadFactors && settings.mail) {
          const { forwarderName } = settings
          const mailing = {
            sendMail: mailSender(settings),
            base: baseOf(settings),
            forwarderName,
            accountName: account_name,
          }
          await mailFactorChange(mailing, person, 'factors_removed')
        }
        const text = hadFactors ? `Removed the second factors of ${email}.` : `${email} has no second factors.`
        console.log(flags.json ? JSON.stringify({ email, removed: hadFactors }) : text)
      })
    })

  user
    .command('sign-out')
    .argument('[email]', 'their e-mail address')
    .option('--all', 'everyone, in all accounts')
    .option('--json', 'print the result as JSON')
    .description('end all sessions of a person, or of everyone')
    .action(async (email: string | undefined, flags: { all?: true; json?: true }) => {
      if ((email === undefined) === (flags.all === undefined)) throw new Failure('give an e-mail address, or --all', 2)
      await withStorage(readSettings(process.env), async ({ db }) => {
        const sessions = email === undefined ? await signOutAll(db) : await signOut(db, email)
        const text = sessions === 1 ? 'Ended one session.' : `Ended ${sessions} sessions.`
        console.log(flags.json ? JSON.stringify({ sessions }) : text)
      })
    })
}

async function signOutAll(db: Database): Promise<number> {
  return db.begin(async (sql) => {
    const sessions = await endAllSessions(sql)
    const act = { kind: 'sign_in', action: 'sessions_ended', details: { sessions } } as const
    await recordAudit(sql, forwarderLog, commandLine, act)
    return sessions
  })
}

async function signOut(db: Database, email: string): Promise<number> {
  const { account_id, person_id } = await getPerson(db, email)
  return db.begin(async (sql) => {
    const sessions = await endSessions(sql, account_id, person_id)
    const act = { kind: 'sign_in', action: 'sessions_ended', subject: person_id, details: { sessions } } as const
    await recordAudit(sql, account_id, commandLine, act)
    return sessions
  })
}

function addSwitch(user: Command, name: 'disable' | 'enable', description: string): void {
  user
    .command(name)
    .argument('<email>', 'their e-mail address')
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

function invitationOf({ email, name, role, language }: CreateFlags) {
  if (validatorOf(Email).faultsIn(email).length > 0)
    throw new Failure(`--email ${email}: not a valid e-mail address`, 2)
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

async function getAccount(db: Database, slug: string): Promise<AccountId> {
  const account = await findAccount(db, slug)
  if (account === undefined) throw new Failure(`there is no account ${slug}`)
  return account
}

async function getPerson(db: Reader, email: string): Promise<Credentials> {
  const person = await findCredentials(db, email)
  if (!person) throw new Failure(`there is no person with the address ${email}`)
  return person
}

function rowOf(person: { account: string } & ReturnType<typeof personResponse>): Record<string, string> {
  const { account, email, name, role, status, created_at, last_seen_at = '' } = person
  return { account, email, name, role, status, created: created_at, last_seen: last_seen_at }
}
