import type { Command } from 'commander'
import { Email, type Language, languages, PersonName } from '../contract/portal/people.js'
import type { Site } from '../contract/portal/sites.js'
import { validatorOf } from '../contract/validation.js'
import type { AccountId } from '../database/account-id.js'
import type { Database, Reader } from '../database/database.js'
import { commit } from '../ledger/commit.js'
import { linkTo } from '../mail/messages.js'
import { commandLine, forwarderLog, recordAudit } from '../store/audit.js'
import { type Credentials, findCredentials, type Role } from '../store/people.js'
import { createLink } from '../store/personal-links.js'
import { endAllSessions, endSessions } from '../store/sessions.js'
import { removeFactorsOf } from '../usecases/factors/administer-factors.js'
import { mailFactorChange } from '../usecases/factors/factor-changes.js'
import { invite } from '../usecases/people/invite-person.js'
import { newToken } from '../usecases/people/passwords.js'
import { personResponse } from '../usecases/people/session-response.js'
import { setDisabled } from '../usecases/people/update-role.js'
import { Failure } from './failure.js'
import { mailSender } from './mail.js'
import { withStorage } from './open-storage.js'
import { baseOf } from './portal-address.js'
import { readSettings } from './settings.js'

/** Commands for people who sign in: of customers (`waybill user`), or operators (`waybill operator`). */

export type InvitationFlags = { email: string; name: string; role: string; language: string; json?: true }

export function invitationOf<Given extends Role>(
  { email, name, role, language }: InvitationFlags,
  roles: readonly Given[],
) {
  if (validatorOf(Email).faultsIn(email).length > 0)
    throw new Failure(`--email ${email}: not a valid e-mail address`, 2)
  if (validatorOf(PersonName).faultsIn(name).length > 0) throw new Failure('--name must have 1 to 200 characters', 2)
  return { email, name, role: roleOf(role, roles), language: languageOf(language) }
}

/** Invites a person; returns them with the link by which they choose a password. */
export async function inviteWithLink(
  db: Database,
  account: AccountId,
  given: ReturnType<typeof invitationOf> & { accounts?: AccountId[] | undefined },
  { site, base }: { site: Site; base: string },
) {
  const known = await findCredentials(db, site, given.email)
  if (known) throw new Failure(`the address ${known.email} is already in use`)
  const { person, token } = await invite(db, account, given)
  const { person_id, email, name, role } = person
  return { person_id, email, name, role, link: linkTo(base, site, token) }
}

/** The commands for a known person: disable, enable, reset, remove-factors, sign-out. */
export function addPersonCommands(parent: Command, site: Site): void {
  addSwitch(parent, site, 'disable', 'disable a person: they cannot sign in, and their sessions end immediately')
  addSwitch(parent, site, 'enable', 'enable a disabled person again')

  parent
    .command('reset')
    .argument('<email>', 'their e-mail address')
    .option('--json', 'print the result as JSON')
    .description('print a link to choose a new password; it works once, within an hour')
    .action(async (email: string, flags: { json?: true }) => {
      const settings = readSettings(process.env)
      const base = baseOf(settings, site)
      await withStorage(settings, async ({ db }) => {
        const { account_id, person_id, isDisabled, email: known } = await getPerson(db, site, email)
        if (isDisabled)
          throw new Failure(`${known} is disabled: run \`waybill ${parent.name()} enable ${known}\` first`)
        const token = newToken()
        await createLink(db, account_id, person_id, { token, purpose: 'reset' })
        const act = { kind: 'sign_in', action: 'reset_requested', subject: person_id } as const
        await recordAudit(db, account_id, commandLine, act)
        const link = linkTo(base, site, token)
        console.log(flags.json ? JSON.stringify({ email: known, link }) : link)
      })
    })

  parent
    .command('remove-factors')
    .argument('<email>', 'their e-mail address')
    .option('--json', 'print the result as JSON')
    .description('remove all second factors of a person who has lost them; the person gets a mail')
    .action(async (given: string, flags: { json?: true }) => {
      const settings = readSettings(process.env)
      await withStorage(settings, async ({ db }) => {
        const { account_id, person_id, email, account_name } = await getPerson(db, site, given)
        const { person, hadFactors } = await commit(db, account_id, 'command-line', (tx) =>
          removeFactorsOf(tx, account_id, person_id, commandLine),
        )
        if (hadFactors && settings.mail) {
          const { forwarderName } = settings
          const mailing = {
            sendMail: mailSender(settings),
            base: baseOf(settings, site),
            site,
            forwarderName,
            accountName: account_name,
          }
          await mailFactorChange(mailing, person, 'factors_removed')
        }
        const text = hadFactors ? `Removed the second factors of ${email}.` : `${email} has no second factors.`
        console.log(flags.json ? JSON.stringify({ email, removed: hadFactors }) : text)
      })
    })

  const signOutCommand = parent
    .command('sign-out')
    .argument(site === 'portal' ? '[email]' : '<email>', 'their e-mail address')
    .option('--json', 'print the result as JSON')
    .description(`end all sessions of a person${site === 'portal' ? ', or of everyone' : ''}`)
    .action(async (email: string | undefined, flags: { all?: true; json?: true }) => {
      if ((email === undefined) === (flags.all === undefined)) throw new Failure('give an e-mail address, or --all', 2)
      await withStorage(readSettings(process.env), async ({ db }) => {
        const sessions = email === undefined ? await signOutAll(db) : await signOut(db, site, email)
        const text = sessions === 1 ? 'Ended one session.' : `Ended ${sessions} sessions.`
        console.log(flags.json ? JSON.stringify({ sessions }) : text)
      })
    })
  if (site === 'portal') signOutCommand.option('--all', 'everyone: the people of all accounts, and operators')
}

async function signOutAll(db: Database): Promise<number> {
  return db.begin(async (sql) => {
    const sessions = await endAllSessions(sql)
    const act = { kind: 'sign_in', action: 'sessions_ended', details: { sessions } } as const
    await recordAudit(sql, forwarderLog, commandLine, act)
    return sessions
  })
}

async function signOut(db: Database, site: Site, email: string): Promise<number> {
  const { account_id, person_id } = await getPerson(db, site, email)
  return db.begin(async (sql) => {
    const sessions = await endSessions(sql, account_id, person_id)
    const act = { kind: 'sign_in', action: 'sessions_ended', subject: person_id, details: { sessions } } as const
    await recordAudit(sql, account_id, commandLine, act)
    return sessions
  })
}

function addSwitch(parent: Command, site: Site, name: 'disable' | 'enable', description: string): void {
  parent
    .command(name)
    .argument('<email>', 'their e-mail address')
    .option('--json', 'print the result as JSON')
    .description(description)
    .action(async (given: string, flags: { json?: true }) => {
      await withStorage(readSettings(process.env), async ({ db }) => {
        const { account_id, person_id, email } = await getPerson(db, site, given)
        const disabled = name === 'disable'
        await setDisabled(db, account_id, person_id, disabled)
        const text = disabled ? `Disabled ${email}.` : `Enabled ${email}.`
        console.log(flags.json ? JSON.stringify({ email, disabled }) : text)
      })
    })
}

function roleOf<Given extends Role>(text: string, roles: readonly Given[]): Given {
  const role = roles.find((known) => known === text)
  if (!role) throw new Failure(`--role ${text}: the roles are ${roles.join(', ')}`, 2)
  return role
}

function languageOf(text: string): Language {
  const language = languages.find((known) => known === text)
  if (!language) throw new Failure(`--language ${text}: the languages are ${languages.join(', ')}`, 2)
  return language
}

async function getPerson(db: Reader, site: Site, email: string): Promise<Credentials> {
  const person = await findCredentials(db, site, email)
  if (!person) throw new Failure(`there is no ${site === 'office' ? 'operator' : 'person'} with the address ${email}`)
  return person
}

export function personColumns(person: ReturnType<typeof personResponse>): Record<string, string> {
  const { email, name, role, status, created_at, last_seen_at = '' } = person
  return { email, name, role, status, created: created_at, last_seen: last_seen_at }
}
