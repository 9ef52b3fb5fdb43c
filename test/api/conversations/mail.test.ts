import { expect, test } from 'vitest'
import type { RefusalCode } from '../../../src/contract/refusals.js'
import { forwarderAccount } from '../../../src/database/account-id.js'
import { readServiceSecrets } from '../../../src/database/service-secrets.js'
import { decrypt } from '../../../src/store/encrypted-value.js'
import { notifyRound } from '../../../src/usecases/notifications/run-notifications.js'
import { newAccount } from '../../support/account.js'
import { newOperatorPerson } from '../../support/office.js'
import { newOperator } from '../../support/operator.js'
import { ownDatabase } from '../../support/own-database.js'
import { newPerson } from '../../support/person.js'
import { binaryFiles } from '../../support/sample-files.js'
import { startService } from '../../support/service.js'

const replyAddress = 'reply@forwarder.example'
const service = await startService({ db: await ownDatabase('replies'), replyAddress })
const { db } = service
const mail = { base: 'https://portal.forwarder.example', forwarderName: 'Harbour & Sons', replyAddress }
const svc_shipment_id = 'S-1'

type Sent = { text: string; html: string; replyTo?: string; unsubscribe: string; subject: string }

async function notify(given: Omit<typeof mail, 'replyAddress'> = mail): Promise<void> {
  for (let left = 2; left > 0; left -= 1) while (await notifyRound(db, Date.now(), { mail: given })) continue
}

async function mailsTo({ email }: { email: string }): Promise<Sent[]> {
  const { link_secret } = await readServiceSecrets(db)
  const rows = await db<{ subject: string; content: string }[]>`
    select subject, content from mails where recipient = ${email} order by mail_id`
  return rows.map(({ subject, content }) => ({ ...(decrypt(link_secret, 'mail', content) as Sent), subject }))
}

async function start() {
  const account = await newAccount(service)
  const { key } = await newOperator(service, 'operations')
  const kim = await newPerson(service, account, 'member', { name: 'Kim' })
  const eve = await newPerson(service, account, 'member', { name: 'Eve' })
  const staff = await newOperatorPerson(service, 'operations', { name: 'Jette' })
  await account.forwarder.imports({ kind: 'shipment', data: { svc_shipment_id, status: 'booked', name: 'Lamps' } })
  const receive = async (raw: string | Buffer) => {
    const response = await fetch(`${service.baseUrl}/ops/v1/mail`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'message/rfc822' },
      body: typeof raw === 'string' ? raw.replaceAll(/\r?\n/g, '\r\n') : Uint8Array.from(raw),
    })
    const text = await response.text()
    return { status: response.status, text, body: JSON.parse(text) as { message_id: string; repeated: boolean } }
  }
  const messages = async () => (await account.call('listMessages')).body
  return { ...account, kim, eve, staff, receive, messages }
}

test('a mention, and an answer to who took part, is notified once, by the bell and by mail, and a reply by mail becomes a message', async () => {
  const { kim, eve, staff, receive, messages } = await start()
  const mentions = [eve.person_id, staff.person_id]
  await kim.v1('postMessage', { body: { svc_shipment_id, text: 'Is Thursday possible?\nOr <b>Friday</b>?', mentions } })
  await notify()
  expect((await kim.portal('listNotifications')).body.unread).toBe(0)
  const { body: bell } = await eve.portal('listNotifications')
  expect(bell.notifications).toMatchObject([{ type: 'message.created', title: 'Lamps', message: { author: 'Kim' } }])
  const [toEve, ...more] = await mailsTo(eve)
  expect(more).toEqual([])
  expect(toEve?.text).toContain('Kim: Is Thursday possible?\nOr <b>Friday</b>?')
  expect(toEve?.html).toContain('Or &lt;b&gt;Friday')
  expect(toEve?.replyTo).toMatch(/^reply\+[\da-z]+-[\da-z]{31,32}@forwarder\.example$/)
  expect((toEve?.replyTo ?? '').indexOf('@')).toBeLessThanOrEqual(64)

  // Staff reply by mail, and the account hears of it.
  const [toStaff] = await mailsTo(staff)
  expect(toStaff?.text).toContain('/office/shipments/')
  expect(toStaff?.replyTo).not.toBe(toEve?.replyTo)
  const raw = `From: Jette <${staff.email.toUpperCase()}>
To: "Harbour & Sons" <${toStaff?.replyTo?.toUpperCase()}>
Subject: Re: New message
Message-ID: <a1@example.com>
Content-Type: text/plain; charset=utf-8

Yes, Thursday at 8.

Am 18.11.2026 um 09:00 schrieb Harbour:
${(toStaff?.text ?? '').replaceAll(/^/gm, '> ')}`
  const received = await receive(raw)
  expect(received.status).toBe(200)
  expect(received.body.repeated).toBe(false)
  expect((await receive(raw)).body).toEqual({ ...received.body, repeated: true })
  const [newest, first] = await messages()
  expect(first?.mentions.map(({ side }) => side).toSorted()).toEqual(['account', 'forwarder'])
  expect(newest).toMatchObject({
    message_id: received.body.message_id,
    text: 'Yes, Thursday at 8.',
    author: { side: 'forwarder', name: 'Jette', person_id: staff.person_id },
  })
  await notify()
  expect((await mailsTo(kim)).map(({ text }) => text.includes('Jette: Yes, Thursday at 8.'))).toEqual([true])

  // The link in the mail ends such mails; the bell goes on.
  await fetch(toEve?.unsubscribe.replace(mail.base, service.baseUrl) ?? '', { method: 'POST' })
  expect((await eve.portal('getNotificationSettings')).body.messages).toBe('portal')
  await eve.v1('postMessage', { body: { svc_shipment_id, text: 'Good' } })
  await kim.v1('postMessage', { body: { svc_shipment_id, text: 'Fine' } })
  await notify({ base: mail.base, forwarderName: mail.forwarderName })
  expect(await mailsTo(eve)).toHaveLength(1)
  expect((await eve.portal('listNotifications')).body.notifications).toHaveLength(2)
  // Without an address for replies, the mail says where to answer.
  const last = (await mailsTo(kim)).at(-1)
  expect(last?.replyTo).toBeUndefined()
  expect(last?.text).toContain('Please answer in the portal')
  const [row] = await db`select count(*)::integer as count from notifications where account_id = ${forwarderAccount}`
  expect(row?.count).toBeGreaterThan(0)
})

const boundary = 'b-1'

/** Replies as mail programs write them, and what somebody wrote in each. */
const programs: [name: string, headers: string, body: string, text: string][] = [
  [
    'Gmail',
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    `--${boundary}
Content-Type: text/plain; charset="UTF-8"
Content-Transfer-Encoding: quoted-printable

Tr=C3=A8s bien, merci.

Le mer. 18 nov. 2026 =C3=A0 10:02, Harbour & Sons <portal@forwarder.example> a
=C3=A9crit :

> --- R=C3=A9pondez au-dessus de cette ligne ---
> Kim : Bonjour
--${boundary}
Content-Type: text/html; charset="UTF-8"

<div>Other</div>
--${boundary}--`,
    'Très bien, merci.',
  ],
  [
    'Outlook',
    'Content-Type: text/plain; charset="Windows-1252"\nContent-Transfer-Encoding: 8bit',
    `Please deliver to gate 3.

Regards

________________________________
From: Harbour & Sons <portal@forwarder.example>
Sent: Wednesday, November 18, 2026 10:02 AM
To: Kim
Subject: New message: Lamps

Kim: Hello`,
    'Please deliver to gate 3.\n\nRegards',
  ],
  [
    'Apple Mail on a phone',
    'Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64',
    Buffer.from('OK 👍\n\nSent from my iPhone\n\n> On 18 Nov 2026, at 10:02, Harbour wrote:\n> \n> Hello\n').toString(
      'base64',
    ),
    'OK 👍',
  ],
  [
    'Thunderbird',
    'Content-Type: text/plain; charset=UTF-8; format=flowed',
    `Answers below.

Both work.

-- 
Kim Example
Nordlicht`,
    'Answers below.\n\nBoth work.',
  ],
  [
    'one that sends HTML only',
    'Content-Type: text/html; charset=utf-8',
    `<html><head><style>p{color:red}</style></head><body><p>Two lines,<br>1 &lt; 2 &amp; more</p>
<script>alert(1)</script><blockquote type="cite">Hello</blockquote></body></html>`,
    'Two lines,\n1 < 2 & more',
  ],
]

test('replies of mail programs become what was written in them, with files', async () => {
  const { kim, eve, receive, messages } = await start()
  await kim.v1('postMessage', { body: { svc_shipment_id, text: 'Hello', mentions: [eve.person_id] } })
  await notify()
  const to = (await mailsTo(eve))[0]?.replyTo
  for (const [index, [name, headers, body, text]] of programs.entries()) {
    const head = `From: Eve <${eve.email}>\nTo: someone@else.example\nDelivered-To: ${to}\nMessage-ID: <p${index}@e>`
    expect(await receive(`${head}\nMIME-Version: 1.0\n${headers}\n\n${body}`), name).toMatchObject({ status: 200 })
    expect((await messages())[0]?.text, name).toBe(text)
  }
  const file = (type: string, name: string, bytes: Buffer) =>
    `--${boundary}\nContent-Type: ${type}; name="${name}"\nContent-Disposition: attachment; filename="${name}"\nContent-Transfer-Encoding: base64\n\n${bytes.toString('base64')}\n`
  const mixed = `From: ${eve.email}\nCc: ${to}\nMessage-ID: <f@e>\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="${boundary}"\n\n--${boundary}\nContent-Type: text/plain\n\nSee the list.\n`
  const pdf = binaryFiles.pdf as Buffer
  const program = Buffer.from('MZ\u0090\u0000', 'latin1')
  const whole = `${mixed}${file('application/pdf', '../list.pdf', pdf)}${file('application/octet-stream', 'run.exe', program)}--${boundary}--\n`
  expect((await receive(whole)).status).toBe(200)
  const [newest] = await messages()
  expect(newest?.text).toBe('See the list.\n\n(Files not accepted: run.exe)')
  expect(newest?.files).toMatchObject([{ size: pdf.length }])
  expect(Buffer.from(await (await fetch(newest?.files[0]?.link ?? '')).arrayBuffer())).toEqual(pdf)
})

test('mails of programs and of others, to unknown addresses, and hostile ones are refused, and the service goes on', async () => {
  const { kim, eve, receive, messages } = await start()
  await kim.v1('postMessage', { body: { svc_shipment_id, text: 'Hello', mentions: [eve.person_id] } })
  await notify()
  const to = (await mailsTo(eve))[0]?.replyTo ?? ''
  const from = `From: ${eve.email}\nTo: ${to}`
  const refused: [string | Buffer, RefusalCode][] = [
    [`${from}\nAuto-Submitted: auto-replied\n\nI am away`, 'mail_automatic'],
    [`${from}\nPrecedence: bulk\n\nI am away`, 'mail_automatic'],
    [`${from}\nReturn-Path: <>\n\nNot delivered`, 'mail_automatic'],
    [`${from}\nContent-Type: multipart/report; boundary=x\n\n--x\n\nNot delivered\n--x--`, 'mail_automatic'],
    [`From: ${kim.email}\nTo: ${to}\n\nHello`, 'mail_from_another'],
    [`From: ${kim.email}, ${eve.email}\nTo: ${to}\n\nHello`, 'mail_from_another'],
    [`To: ${to}\n\nHello`, 'mail_from_another'],
    [
      `From: ${eve.email}\nTo: ${to.replace(/.@/, (last) => (last === 'a@' ? 'b@' : 'a@'))}\n\nHello`,
      'reply_address_not_found',
    ],
    [`From: ${eve.email}\nTo: ${replyAddress}\n\nHello`, 'reply_address_not_found'],
    [`${from}\n\n> quoted\n`, 'mail_without_text'],
    [Buffer.from([0, 255, 254, 1, 2, 3]), 'reply_address_not_found'],
    [`${from}\n${'X: y\n'.repeat(200_000)}\nHello`, 'mail_not_readable'],
    [
      `${from}\n${Array.from({ length: 5000 }, (_, index) => `Content-Type: multipart/mixed; boundary=x${index}\n\n--x${index}\n`).join('')}\n`,
      'mail_not_readable',
    ],
  ]
  for (const [raw, code] of refused) {
    const response = await receive(raw)
    expect(response, String(raw).slice(0, 120)).toBeRefused(code)
  }
  expect(await messages()).toHaveLength(1)
  // Control characters are left out, and a long text is cut.
  expect((await receive(`${from}\nMessage-ID: <l@e>\n\na\u0007b${'x'.repeat(20_000)}`)).status).toBe(200)
  expect((await messages())[0]?.text).toMatch(/^abx+…$/)
  await db`update people set disabled_at = now() where person_id = ${eve.person_id}`
  expect(await receive(`${from}\n\nHello`)).toBeRefused('mail_from_another')
})
