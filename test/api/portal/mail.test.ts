import { expect, onTestFinished, test } from 'vitest'
import { mailSender } from '../../../src/cli/mail.js'
import { readSettings } from '../../../src/cli/settings.js'
import { newAccount } from '../../support/account.js'
import { readable, startMailServer } from '../../support/mail-server.js'
import { newOperator } from '../../support/operator.js'
import { ownDatabase, ownDatabaseUrl } from '../../support/own-database.js'
import { asPerson, asVisitor, newEmail, newPerson, testPassword } from '../../support/person.js'
import { runProgram, type Serving, startServing, until } from '../../support/program.js'
import { startService } from '../../support/service.js'

/** Mails through a real SMTP server. */

// Every process that sends mails sends those of its database.
const service = await startService({ db: await ownDatabase('mails') })
const databaseUrl = ownDatabaseUrl('mails')
const publicUrl = 'http://portal.forwarder.example'

function senderBy(url: string) {
  const from = 'Harbour & Sons <portal@forwarder.example>'
  return mailSender(readSettings({ WAYBILL_SMTP_URL: url, WAYBILL_MAIL_FROM: from, WAYBILL_PUBLIC_URL: publicUrl }))
}

test('an invitation is sent from the configured address, and its link works', async () => {
  const server = await startMailServer()
  const mailing = await startService({ portal: { sendMail: senderBy(server.url) } })
  const admin = await newPerson(mailing, await newAccount(mailing))
  const email = newEmail()
  await admin.portal('invitePerson', { body: { email, name: 'Kim', role: 'member' } })
  expect(server.received).toHaveLength(1)
  const [mail] = server.received
  expect(mail).toMatchObject({ from: 'portal@forwarder.example', to: [email], user: 'waybill' })
  expect(mail?.content).toMatch(/^From: .*Harbour & Sons.* <portal@forwarder\.example>\r$/m)
  const [, token = ''] = /\/welcome#([\w-]{32})/.exec(readable(mail?.content ?? '')) ?? []
  // With HTML, whose button has the same link.
  expect(readable(mail?.content ?? '')).toMatch(
    new RegExp(`<a href="[^"]+/welcome#${token}"[^>]*>Choose a password</a>`),
  )
  const chosen = await asVisitor(mailing, 'useLink', { body: { token, password: testPassword } })
  expect(chosen.status).toBe(201)
})

test('an address that looks like several is treated as one', async () => {
  const server = await startMailServer()
  const sendMail = senderBy(server.url)
  const mail = { subject: 'S', text: 'T', link: 'https://portal.example/welcome#x' }
  await sendMail({ ...mail, to: 'kim,evil@example.com' })
  expect(server.received.flatMap(({ to }) => to)).not.toContain('evil@example.com')
})

const troubles: [string, () => Promise<string>, RegExp][] = [
  ['refuses it', async () => (await startMailServer({ refuses: 'looks like spam' })).url, /looks like spam/],
  ['does not know us', async () => (await startMailServer({ password: 'another' })).url, /Invalid login/],
  ['is away', async () => 'smtp://waybill:p%40ss%3Aword@127.0.0.1:1?tls=off', /ECONNREFUSED/],
  ['offers no TLS', async () => (await startMailServer()).url.replace('?tls=off', ''), /TLS/],
]

/** Stopped after the test: all processes on a database send its mails. */
async function serveWith(smtpUrl: string | undefined) {
  const mail = { WAYBILL_MAIL_FROM: 'a@b.example', WAYBILL_PUBLIC_URL: publicUrl }
  const env = { DATABASE_URL: databaseUrl, ...(smtpUrl !== undefined && { WAYBILL_SMTP_URL: smtpUrl, ...mail }) }
  const serving = await startServing({ env })
  onTestFinished(() => stop(serving))
  return serving
}

async function stop(serving: Serving): Promise<void> {
  serving.kill('SIGTERM')
  await serving.ended
}

function linesOf({ stdout }: { stdout(): string }): string[] {
  return stdout().split('\n')
}

test.each(troubles)(
  'when the mail server %s, the log has the reason and the invitation stays valid',
  async (_, start, reason) => {
    const serving = await serveWith(await start())
    const { token } = await newPerson(service, await newAccount(service))
    const { portal } = asPerson(serving, token)
    const email = newEmail()
    const invited = await portal('invitePerson', { body: { email, name: 'Kim', role: 'member' } })
    expect(invited.status).toBe(201)
    const isReported = (line: string) => line.includes('could not be sent') && line.includes(email)
    await until(() => linesOf(serving).some(isReported))
    const reported = linesOf(serving).find(isReported) ?? ''
    expect(JSON.parse(reported)).toMatchObject({ level: 40, msg: expect.stringMatching(reason) as string })

    const { person_id } = invited.body
    const links = await service.db`select 1 from personal_links where person_id = ${person_id}`
    expect(links).toHaveLength(1)
    expect((await portal('inviteAgain', { params: { person_id } })).status).toBe(200)
    const output = serving.stdout() + serving.stderr()
    expect(output).not.toMatch(/welcome#[\w-]{20}/)
    expect(output).not.toMatch(/p@ss:word|p%40ss/)
  },
)

test('a mail waits while the mail server is away or the service is stopped, is listed, and is sent once', async () => {
  const { ops } = await newOperator(service)
  const server = await startMailServer()
  const away = await serveWith('smtp://127.0.0.1:1?tls=off')
  const { token } = await newPerson(service, await newAccount(service))
  const email = newEmail()
  await asPerson(away, token).portal('invitePerson', { body: { email, name: 'Kim', role: 'member' } })
  const listed = async () =>
    (await ops('listMails', undefined, { query: {} })).body.mails.filter(({ to }: { to: string }) => to === email)
  await until(async () => (await listed())[0]?.failure !== undefined)
  expect(await listed()).toMatchObject([
    { state: 'waiting', attempts: 1, failure: expect.stringMatching(/ECONNREFUSED/) },
  ])
  const stored = await service.db`select * from mails where recipient = ${email}`
  expect(JSON.stringify(stored)).not.toContain('welcome#')
  await stop(away)

  await service.db`update mails set next_attempt_at = now() where recipient = ${email}`
  await Promise.all([serveWith(server.url), serveWith(server.url)])
  await until(async () => (await listed())[0]?.state === 'sent')
  expect(server.received.filter(({ to }) => to.includes(email))).toHaveLength(1)
  expect(await service.db`select from mails where recipient = ${email} and content is not null`).toEqual([])
})

test('a mail whose recipient the server refuses is given up at once', async () => {
  const { ops } = await newOperator(service)
  const { url } = await startMailServer({ refusesRecipients: true })
  const serving = await serveWith(url)
  const { token } = await newPerson(service, await newAccount(service))
  const email = newEmail()
  await asPerson(serving, token).portal('invitePerson', { body: { email, name: 'Kim', role: 'member' } })
  const failed = async () =>
    (await ops('listMails', undefined, { query: { state: 'failed' } })).body.mails.filter(
      ({ to }: { to: string }) => to === email,
    )
  await until(async () => (await failed()).length > 0)
  expect(await failed()).toMatchObject([{ attempts: 1, failure: expect.stringMatching(/nobody of that name/) }])
})

test('without a mail server the link is printed in one line with its recipient', async () => {
  const serving = await serveWith(undefined)
  const { token } = await newPerson(service, await newAccount(service))
  const email = newEmail()
  const body = { email, name: 'Kim', role: 'member' } as const
  await asPerson(serving, token).portal('invitePerson', { body })
  const line = new RegExp(
    `^waybill: no mail server is set; the link for ${email} is (${serving.baseUrl}/welcome#\\S+)\n$`,
  )
  expect(serving.stderr()).toMatch(line)
  const linkToken = line.exec(serving.stderr())?.[1]?.split('#').at(-1) ?? ''
  expect((await asVisitor(serving, 'getLink', { body: { token: linkToken } })).body).toMatchObject({ email })
})

test('a key that the command line creates or rotates is mailed to the admins of its account', async () => {
  const { received, url } = await startMailServer()
  const account = await newAccount(service)
  const admin = await newPerson(service, account)
  await newPerson(service, account, 'member')
  const env = {
    DATABASE_URL: databaseUrl,
    WAYBILL_SMTP_URL: url,
    WAYBILL_MAIL_FROM: 'portal@forwarder.example',
    WAYBILL_PUBLIC_URL: publicUrl,
  }
  const created = await runProgram(['key', 'create', '--account', account.slug, '--json'], { env })
  const { key, key_id } = JSON.parse(created.stdout) as { key: string; key_id: string }
  const rotated = await runProgram(['key', 'rotate', key_id], { env })
  expect(received.map(({ to }) => to)).toEqual([[admin.email], [admin.email]])
  const texts = received.map(({ content }) => readable(content))
  for (const [index, secret] of [key, rotated.stdout.trim()].entries()) {
    expect(texts[index]).toContain(`ends in ${secret.slice(-4)}.`)
    expect(texts[index]).not.toContain(secret)
    expect(texts[index]).toContain(`${publicUrl}/developers`)
  }
})
