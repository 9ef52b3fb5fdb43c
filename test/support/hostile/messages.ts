import { operatorOperations } from '../../../src/contract/operator/operations.js'
import { operations } from '../../../src/contract/public/operations.js'
import { edifact, x12 } from '../edi.js'
import { file, form, formType } from '../forms.js'
import { type Access, type HostileRequest, statusOfBody } from './target.js'

/** Hostile messages of carriers, mails, tables and calls of tools. */

const mebibyte = 1024 * 1024

const bytes = 'application/octet-stream'

/** A message of 4 MiB at most, with an item as often as it fits. */
function repeated(start: string, item: (index: number) => string, most: number, end = ''): string {
  const items: string[] = []
  for (let length = start.length + end.length; items.length < most; ) {
    const next = item(items.length)
    length += next.length
    if (length > 4 * mebibyte) break
    items.push(next)
  }
  return start + items.join('') + end
}

const unb = "UNB+UNOC:3+MSCU+WAYBILL+260101:1200+1'"
const isa = `ISA*00*          *00*          *ZZ*SENDER         *ZZ*WAYBILL        *260101*1200*U*00401*000000001*0*P*>~`
const status = ['CNI+1+B1', 'STS+1+VD', 'RFF+BM:B1', 'DTM+334:202601011200:203', 'LOC+5+DEHAM']
const ofShip = ['B4***VD*20260101*1200', 'R4*L*UN*DEHAM']
const dcsaEvent = (at: number) =>
  `{"eventID":"${at}","eventType":"TRANSPORT","eventDateTime":"2026-01-01T00:00:00Z","eventClassifierCode":"ACT","transportEventTypeCode":"DEPA","documentReferences":[{"documentReferenceType":"BKG","documentReferenceValue":"B${at}"}]}`
const ownEvent = (at: number) =>
  `{"description":"x ${at}","date":"2026-01-01T00:00:00Z","status":"actual","references":["B${at}"]}`

const messages: [name: string, format: string, status: number, content: () => string | Buffer][] = [
  ['4 MiB of segment terminators', 'iftsta', 200, () => repeated(unb, () => "'", Number.POSITIVE_INFINITY)],
  ['49,000 empty segments', 'iftsta', 200, () => repeated(unb, () => "AAA'", 49_000)],
  ['49,000 segments of separators', 'iftsta', 200, () => repeated(unb, () => `AAA${'+:'.repeat(38)}'`, 49_000)],
  ['40,000 messages', 'iftsta', 200, () => repeated(unb, (at) => `UNH+${at}+IFTSTA:D:00B:UN'`, 40_000)],
  [
    'a message with 9,000 statuses',
    'iftsta',
    200,
    () => edifact([['BGM+23+1', ...several(9000, () => status).flat()]]),
  ],
  [
    'a message with 4,900 statuses',
    'iftsta',
    200,
    () => edifact([['BGM+23+1', ...several(4900, () => status).flat()]]),
  ],
  ['4,900 messages with a status', 'iftsta', 200, () => edifact(several(4900, () => ['BGM+23+1', ...status]))],
  [
    '25,000 references for each of 4,900 statuses',
    'iftsta',
    200,
    () => edifact([['BGM+23+1', ...several(25_000, (at) => `RFF+BM:B${at}`), ...several(4900, () => status).flat()]]),
  ],
  [
    '4,900 transaction sets 315',
    'x12',
    200,
    () =>
      x12(
        '315',
        several(4900, (at) => [...ofShip, `N9*BN*B${at}`]),
      ),
  ],
  [
    'a 315 with 24,000 places for each of 24,000 statuses',
    'x12',
    200,
    () =>
      x12('315', [
        [...ofShip, ...several(24_000, () => 'R4*L*UN*DEHAM'), ...several(24_000, () => 'SG*VD***20260101')],
      ]),
  ],
  [
    'a 214 with 20,000 references for each of 20,000 statuses',
    'x12',
    200,
    () =>
      x12('214', [
        [...several(20_000, (at) => `L11*B${at}*BM`), ...several(20_000, () => 'AT7*X3*NS***20260101*1200')],
      ]),
  ],
  ['4 MiB of release characters', 'iftsta', 200, () => repeated(unb, () => '?', Number.POSITIVE_INFINITY)],
  ['elements of 4 KB with escapes', 'iftsta', 200, () => repeated(unb, () => `AAA+${"?'".repeat(2000)}'`, 1000)],
  ['a segment of 4 MiB', 'iftsta', 200, () => `${unb}AAA+${'x'.repeat(4 * mebibyte - 100)}`],
  ['4 MiB of blanks', 'iftsta', 200, () => repeated('UNA', () => ' ', 4 * mebibyte)],
  ['49,000 segments', 'x12', 200, () => repeated(isa, () => 'AT7*X3*NS***20260101*1200~', 49_000)],
  ['4 MiB of one element', 'x12', 200, () => `${isa}${'x'.repeat(4 * mebibyte - 200)}`],
  ['4,900 events of unknown bookings', 'dcsa', 200, () => `[${list(dcsaEvent, 4900)}]`],
  ['20,000 empty events', 'dcsa', 200, () => `[${list(() => '{}', 20_000)}]`],
  ['4 MiB of opening brackets', 'dcsa', 413, () => '['.repeat(4 * mebibyte)],
  ['90,000 levels', 'dcsa', 200, () => `${'['.repeat(45_000)}${']'.repeat(45_000)}`],
  ['4,900 events of unknown bookings', 'events', 200, () => `[${list(ownEvent, 4900)}]`],
  ['20,000 empty events', 'events', 200, () => `[${list(() => '{}', 20_000)}]`],
  ['4 MiB of commas', 'table', 200, () => ','.repeat(4 * mebibyte)],
  ['a million rows of two cells', 'table', 200, () => 'a,b\n'.repeat(mebibyte)],
  ['4 MiB in quotes', 'table', 200, () => `a,b\n"${'x'.repeat(4 * mebibyte - 10)}`],
  [
    '9,000 rows of bookings',
    'table',
    200,
    () => `booking,event,date\n${Array.from({ length: 9000 }, (_, at) => `B${at},Departed,2026-01-01\n`).join('')}`,
  ],
]

function several<Item>(count: number, item: (at: number) => Item): Item[] {
  return Array.from({ length: count }, (_, at) => item(at))
}

function list(item: (at: number) => string, count: number): string {
  return Array.from({ length: count }, (_, at) => item(at)).join(',')
}

const ofMessages: HostileRequest[] = messages.flatMap(([name, format, expected, content]) => {
  let body: string | Buffer | undefined
  return (['receiveMessage', 'previewMessage'] as const).map((operation) => ({
    name: `${operation} (operator): ${format}: ${name}`,
    status: expected,
    send: (target) => {
      body ??= content()
      const path = `${operatorOperations[operation].path}?format=${format}&sender=hostile`
      return statusOfBody(target, 'operator', { path, type: bytes, body })
    },
  }))
})

const head = 'From: kim@example.com\r\nTo: reply+1-0k3v9x8c2m7q4w6e1r5t0y3u2i9o8p7a@forwarder.example\r\n'

// Which cannot be read, or is for nobody.
const mails: [name: string, status: number, content: () => string][] = [
  ['300,000 headers', 400, () => `${'A: b\r\n'.repeat(300_000)}${head}\r\nText`],
  ['a header of 4 MB', 400, () => `${head}Subject: ${'=?utf-8?B?QQ==?= '.repeat(200_000)}\r\n\r\nText`],
  ['200,000 recipients', 400, () => `${head}Cc: ${'<a@b.c>,'.repeat(200_000)}\r\n\r\nText`],
  [
    '2,000 nested parts',
    400,
    () =>
      head +
      Array.from(
        { length: 2000 },
        (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
      ).join(''),
  ],
  [
    '50,000 parts',
    404,
    () => `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(50_000)}--b--\r\n`,
  ],
  [
    '8 MB of HTML that opens elements',
    404,
    () => `${head}Content-Type: text/html\r\n\r\n${'<blockquote><p>'.repeat(550_000)}`,
  ],
  ['8 MB of "<"', 404, () => `${head}Content-Type: text/html\r\n\r\n${'<'.repeat(8 * mebibyte)}`],
  ['4 MB of quoted lines, and no text of its own', 400, () => `${head}\r\n${'> x\r\n'.repeat(800_000)}`],
  ['4 MB of "On", as a reply begins', 404, () => `${head}\r\n${'On '.repeat(1_300_000)}`],
  ['4 MB of blanks', 404, () => `${head}\r\n${' '.repeat(4 * mebibyte)}x`],
]

const ofMails: HostileRequest[] = mails.map(([name, expected, content]) => {
  let body: string | undefined
  return {
    name: `receiveMail (operator): ${name}`,
    status: expected,
    send: (target) => {
      body ??= content()
      return statusOfBody(target, 'operator', { path: operatorOperations.receiveMail.path, type: bytes, body })
    },
  }
})

// Which become messages, for they come from whom they were sent to.
const replies: [name: string, status: number, type: string, text: () => string][] = [
  ['200,000 empty lines and a letter', 200, 'plain', () => `${'\r\n'.repeat(199_000)}x`],
  ['50,000 quoted lines and a letter', 200, 'plain', () => `${'> x\r\n'.repeat(39_000)}x`],
  ['700 lines like introductions', 200, 'plain', () => `x\r\n${`on ${'wrote '.repeat(45)}\r\n`.repeat(700)}`],
  ['HTML with 30,000 blanks that do not break', 200, 'html', () => `<p>x${'&nbsp;'.repeat(30_000)}x`],
  ['HTML with 200,000 "<"', 200, 'html', () => '<'.repeat(200_000)],
]

const ofReplies: HostileRequest[] = replies.map(([name, expected, type, text]) => ({
  name: `receiveMail (operator): a reply of ${name}`,
  status: expected,
  send: (target) => {
    const { from, to } = target.reply
    const body = `From: ${from}\r\nTo: ${to}\r\nContent-Type: text/${type}\r\n\r\n${text()}`
    return statusOfBody(target, 'operator', { path: operatorOperations.receiveMail.path, type: bytes, body })
  },
}))

const tables: [name: string, content: () => string][] = [
  ['2 MB of commas', () => ','.repeat(2_000_000)],
  ['a header of 300,000 columns', () => `${'place,'.repeat(300_000)}\n`],
  ['150,000 invalid rows', () => `place,weekend,date,kind,name\n${'x,,,,\n'.repeat(150_000)}`],
  [
    '40,000 days',
    () => `place,weekend,date,kind,name\n${'DE/HAM,6 7,2026-04-03,holiday,Good Friday\n'.repeat(40_000)}`,
  ],
]

const ofTables: HostileRequest[] = tables.map(([name, content]) => ({
  name: `importFreeTimeTable (operator): ${name}`,
  status: 400,
  send: (target) =>
    statusOfBody(target, 'operator', {
      path: `${operatorOperations.importFreeTimeTable.path}?table=working_days&check=true`,
      type: bytes,
      body: content(),
    }),
}))

const call = (name: string, input: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${input}}}`

const calls: [name: string, status: number, content: () => string][] = [
  ['256 KiB of unknown fields', 200, () => call('list_shipments', `{${list((at) => `"k${at}":1`, 900)}}`)],
  ['an unknown tool with a name of 250 KB', 200, () => call('x'.repeat(250_000), '{}')],
  ['250 KB of brackets', 413, () => '['.repeat(250_000)],
  ['a batch of 2,000 calls', 400, () => `[${list(() => call('x', '{}'), 2000)}]`],
]

const ofTools: HostileRequest[] = calls.map(([name, expected, content]) => ({
  name: `callTools (customer): ${name}`,
  status: expected,
  send: (target) =>
    statusOfBody(target, 'customer', {
      path: '/mcp',
      headers: { accept: 'application/json, text/event-stream' },
      body: content(),
    }),
}))

const files: [name: string, access: Access, path: string][] = [
  ['proposeDocument', 'customer', operations.proposeDocument.path],
  ['uploadMessageFile', 'customer', operations.uploadMessageFile.path],
  ['uploadDocument', 'operator', '/ops/v1/accounts/{account}/documents'],
]

const ofFiles: HostileRequest[] = files.flatMap(([name, access, path]) => [
  {
    name: `${name} (${access}): a part with headers of 4 MB`,
    status: 400,
    send: (target: Parameters<HostileRequest['send']>[0]) =>
      statusOfBody(target, access, {
        path: path.replace('{account}', target.slug),
        type: formType,
        body: Buffer.from(`--form\r\n${'A: b\r\n'.repeat(700_000)}\r\n\r\nx\r\n--form--\r\n`),
      }),
  },
  {
    name: `${name} (${access}): a file of 8 MB of "PK" that is no archive`,
    status: 400,
    send: (target: Parameters<HostileRequest['send']>[0]) =>
      statusOfBody(target, access, {
        path: path.replace('{account}', target.slug),
        type: formType,
        body: form(file('a.xlsx', Buffer.from('PK\u0003\u0004'.repeat(2 * mebibyte)))),
      }),
  },
])

export const hostileMessages: HostileRequest[] = [
  ...ofMessages,
  ...ofMails,
  ...ofReplies,
  ...ofTables,
  ...ofTools,
  ...ofFiles,
]
