import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { formatApiKey } from '../src/domain/api-key.js'
import { line, newAccount } from './support/account.js'
import { newResident, type Resident } from './support/every-operation.js'
import { newIdentifiers } from './support/every-resource.js'
import { newOperator } from './support/operator.js'
import { asPerson, asVisitor, newEmail, newMachine, newPerson, testPassword, tokenIn } from './support/person.js'
import { bearer, plainGet } from './support/plain-get.js'
import { sendRaw } from './support/raw-http.js'
import { startService } from './support/service.js'
import { storedState } from './support/stored-state.js'

/**
 * The OWASP API Security Top 10 (2023), item by item: what is done about it, tried over HTTP. Where an item fills a file of
 * its own, that is named. SECURITY.md tells the same in words. (API6 to API10: owasp-api-6-to-10.test.ts.)
 */

const service = await startService()
const { baseUrl, db } = service

const get = (path: string, headers: Record<string, string> = {}, at = baseUrl) => plainGet(at + path, headers)

// Every operation with identifiers of another account: isolation-matrix.test.ts, isolation.test.ts, portal-isolation.test.ts.
describe('API1:2023 Broken Object Level Authorization', () => {
  test('accounts with the same identifiers that ask at the same moment each get what is theirs', async () => {
    const ids = newIdentifiers()
    const residents = await Promise.all(Array.from({ length: 5 }, () => newResident(service, ids)))
    const paths = [
      `/v1/shipments/${ids.svc_shipment_id}`,
      '/v1/shipments',
      `/v1/purchaseOrders/${ids.reference}`,
      `/v1/invoices/${ids.number}`,
      `/v1/locations/${ids.location}`,
      `/v1/tracking/${ids.svc_shipment_id}`,
      '/v1/documents',
    ]
    const asked = paths.flatMap((path) => residents.map((resident) => ({ path, resident })))
    // What is wanted at once is fetched together, from the database and then from memory.
    for (let time = 0; time < 4; time += 1) {
      await Promise.all(
        asked.map(async ({ path, resident }) => {
          const { text } = await get(path, bearer(resident.account.key))
          for (const { account } of residents) expect(text.includes(account.slug)).toBe(account === resident.account)
        }),
      )
    }
  })

  test('a link to a document opens that document, until it ends, and nothing else, however it is asked for', async () => {
    const [self, other] = [await newResident(service), await newResident(service)]
    const link = async ({ account }: Resident) =>
      ((await account.call('listDocuments')).body[0] as { link: string }).link
    const mine = new URL(await link(self)).pathname
    for (const query of [
      '',
      '?inline=1',
      `?account=${other.account.id}`,
      `?id=${other.ids.document}`,
      '?ends=9999999999',
    ]) {
      const answer = await get(mine + query)
      expect(answer).toMatchObject({ status: 200, text: self.account.slug })
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment/)
    }
    const token = Buffer.from(mine.slice('/documents/'.length), 'base64url')
    for (const [place, what] of [
      [0, 'account'],
      [4, 'end of its life'],
      [8, 'document'],
    ] as const) {
      const widened = Buffer.from(token)
      widened.writeUInt32BE(widened.readUInt32BE(place) + 1, place)
      for (const query of ['', '?inline=1']) {
        expect(await get(`/documents/${widened.toString('base64url')}${query}`), what).toBeRefused('invalid_link')
      }
    }
    for (const path of [`${mine}/..`, `${mine}/../${randomUUID()}`, `${mine}%2f..%2fx`, `${mine}.`]) {
      expect((await get(path)).status, path).toBeGreaterThanOrEqual(400)
    }
  })
})

// Keys, sessions, links, sign-in: keys.test.ts, portal-sign-in.test.ts, portal-people.test.ts, portal-provider.test.ts.
describe('API2:2023 Broken Authentication', () => {
  test('who guesses is slowed down, and learns nothing of who is known', async () => {
    const { email } = await newPerson(service, await newAccount(service), 'member', { hasPassword: true })
    const guess = (who: string) =>
      asVisitor(service, 'signIn', { body: { email: who, password: 'a guess' } }, newMachine())
    const answers = new Map<string, string[]>()
    for (const who of [email, newEmail()]) {
      const told: string[] = []
      for (let time = 0; time < 6; time += 1) {
        const { status, problem } = await guess(who)
        told.push(`${status} ${problem.code} ${problem.title}`)
      }
      answers.set(who, told)
    }
    const [known, unknown] = [...answers.values()]
    expect(known).toEqual(unknown)
    expect(known?.at(-1)).toContain('sign_in_slowed')
  })

  test('a session begins with a token that the service draws: none that a browser brings along is taken on', async () => {
    const { email } = await newPerson(service, await newAccount(service), 'member', { hasPassword: true })
    const planted = randomBytes(24).toString('base64url')
    const response = await fetch(`${baseUrl}/portal/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: `waybill_session=${planted}` },
      body: JSON.stringify({ email, password: testPassword }),
    })
    expect(response.status).toBe(201)
    const token = tokenIn(response)
    expect(token).not.toBe(planted)
    expect(response.headers.get('set-cookie')).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/)
    expect((await asPerson(service, token).portal('getSession')).status).toBe(200)
    expect(await asPerson(service, planted).portal('getSession')).toBeRefused('not_signed_in')
  })

  test('a key counts in its header alone: neither in an address, nor in a cookie, nor in another header', async () => {
    const { key } = await newAccount(service)
    for (const query of [`?key=${key}`, `?api_key=${key}`, `?access_token=${key}`]) {
      expect(await get(`/v1/locations${query}`)).toBeRefused('missing_key')
    }
    for (const [name, value] of [
      ['cookie', `key=${key}`],
      ['x-api-key', key],
      ['proxy-authorization', `Bearer ${key}`],
    ] as const) {
      expect(await get('/v1/locations', { [name]: value }), name).toBeRefused('missing_key')
    }
    const basic = { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` }
    expect(await get('/v1/locations', basic)).toBeRefused('invalid_key')
  })

  test('a key is drawn from 192 bits of chance', () => {
    const keys = new Set(Array.from({ length: 1000 }, () => formatApiKey('account', randomBytes(24))))
    expect(keys.size).toBe(1000)
    expect(() => formatApiKey('account', randomBytes(8))).toThrow('24 random bytes')
  })
})

// Unknown fields at every depth: bad-input.test.ts, ops-bad-input.test.ts.
describe('API3:2023 Broken Object Property Level Authorization', () => {
  test('what is not for a customer to say is refused by its name, and nothing changes', async () => {
    const { account, ids } = await newResident(service)
    const before = await storedState(db, account.id)
    for (const extra of [
      'account_id',
      'revision',
      'assigned_order_lines',
      'status',
      'created_at',
      '__proto__',
      'draft',
    ]) {
      const order = `{"reference":"P","product_lines":[${JSON.stringify(line())}],${JSON.stringify(extra)}:{"x":1}}`
      for (const method of ['POST', 'PATCH']) {
        const response = await fetch(`${baseUrl}/v1/purchaseOrders`, {
          method,
          headers: { ...bearer(account.key), 'content-type': 'application/json' },
          body: method === 'POST' ? order : order.replace('"P"', JSON.stringify(ids.reference)),
        })
        const { errors } = (await response.json()) as { errors: { pointer: string }[] }
        expect(response.status).toBe(400)
        expect(errors.map(({ pointer }) => pointer)).toContain(`/${extra}`)
      }
    }
    expect(await storedState(db, account.id)).toEqual(before)
  })

  test('nobody gives themselves a role, another account or another address', async () => {
    const { account, viewer } = await newResident(service)
    const before = await storedState(db, account.id)
    for (const extra of ['role', 'account_id', 'email', 'person_id', 'password_hash', 'disabled', 'hasPassword']) {
      const body = { [extra]: 'admin' } as never
      expect(await viewer.portal('updatePerson', { body }), extra).toBeRefused('invalid_request')
    }
    expect(await storedState(db, account.id)).toEqual(before)
  })

  test('answers hold what the interface says, and nothing of what is kept beside it', async () => {
    const { account, admin } = await newResident(service)
    const { ops } = await newOperator(service)
    const [row] = await db<{ hash: string }[]>`
      select encode(hash, 'hex') as hash from keys where account_id = ${account.id}`
    const texts = [
      (await admin.portal('listPeople')).text,
      (await admin.portal('getSession')).text,
      (await admin.portal('listOwnKeys')).text,
      (await ops('listKeys', account.slug)).text,
      (await ops('getAccount', account.slug)).text,
    ]
    for (const text of texts)
      expect(text).not.toMatch(/argon2|password_hash|"hash"|account_id|link_secret|newest_first/)
    for (const text of texts) expect(text).not.toContain(row?.hash)
  })
})

// Sizes, lengths, depths and slow clients: bad-input.test.ts, bad-requests.test.ts, slow-requests.test.ts,
// transport-abuse.test.ts, portal-order-sheet.test.ts.
describe('API4:2023 Unrestricted Resource Consumption', () => {
  test('a key, an operator and a person in the portal each have a limit, told before and when it is reached', async () => {
    const limited = await startService({ rateLimit: 3 })
    const { account, admin } = await newResident(service)
    const operator = await newOperator(limited)
    const callers = {
      '/v1/locations': bearer(account.key),
      '/ops/v1/operator': bearer(operator.key),
      '/portal/v1/views': admin.headers,
    }
    for (const [path, headers] of Object.entries(callers)) {
      const first = await get(path, headers, limited.baseUrl)
      expect(first.headers.get('ratelimit-remaining'), path).toBe('2')
      const answers = [await get(path, headers, limited.baseUrl), await get(path, headers, limited.baseUrl)]
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      const refused = await get(path, headers, limited.baseUrl)
      expect(refused, path).toBeRefused('rate_limited')
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    // What somebody asks of either interface counts together; and they can still sign out.
    expect(await get('/v1/locations', admin.headers, limited.baseUrl)).toBeRefused('rate_limited')
    expect((await asPerson(limited, admin.token).portal('signOut')).status).toBe(200)
  })

  test('nobody gets more of a list than it gives at once, or skips beyond all bounds', async () => {
    const { account, admin } = await newResident(service)
    for (const query of [
      'take=101',
      'take=1000000000',
      'take=-1',
      'skip=-1',
      'skip=1e99',
      'skip=99999999999999999999',
    ]) {
      expect(await get(`/v1/shipments?${query}`, bearer(account.key)), query).toBeRefused('invalid_request')
    }
    for (const path of ['search?q=a&take=1000', 'shipments?take=1000', 'invoices?take=1000', 'requests?take=1000']) {
      expect(await get(`/portal/v1/${path}`, admin.headers), path).toBeRefused('invalid_request')
    }
    const ids = Array.from({ length: 101 }, () => randomUUID()).join(',')
    expect(await get(`/portal/v1/documents/zip?ids=${ids}`, admin.headers)).toBeRefused('invalid_request')
  })

  test('a search of thousands of words, or of one that no end of them begin with, is bounded', async () => {
    const { admin } = await newResident(service)
    for (const q of ['a '.repeat(2000), 'a'.repeat(5000), '*'.repeat(300), '(((('.repeat(100), "' | ".repeat(300)]) {
      const { status } = await get(`/portal/v1/search?q=${encodeURIComponent(q)}`, admin.headers)
      expect([200, 400], q.slice(0, 20)).toContain(status)
    }
  })
})

// Every operation for every role: isolation-matrix.test.ts, ops-access.test.ts.
describe('API5:2023 Broken Function Level Authorization', () => {
  test("no spelling of a path leads a customer's key to what is the forwarder's", async () => {
    const { account, admin } = await newResident(service)
    const before = await storedState(db, account.id)
    const spellings = [
      '/ops/v1/accounts',
      '//ops/v1/accounts',
      '/ops//v1/accounts',
      '/v1/../ops/v1/accounts',
      '/v1/%2e%2e/ops/v1/accounts',
      '/v1%2f..%2fops/v1/accounts',
      '/./ops/v1/accounts',
      '/OPS/V1/ACCOUNTS',
      '/ops/v1/accounts/',
      '/ops/v1/accounts;x=1',
      '/ops/v1/accounts%00',
      '/ops\\v1\\accounts',
      `/v1/shipments/..%2f..%2fops%2fv1%2faccounts`,
      `http://ops.invalid/ops/v1/accounts`,
    ]
    for (const target of spellings) {
      for (const headers of [bearer(account.key), admin.headers]) {
        const answer = await sendRaw(baseUrl, { target, headers: Object.entries(headers) })
        expect(answer.status, `${target} ${answer.text}`).toBeGreaterThanOrEqual(400)
        expect(answer.status, `${target} ${answer.text}`).toBeLessThan(500)
      }
    }
    expect(await storedState(db, account.id)).toEqual(before)
  })

  test('a method is what the request says, not what a header, a field or a parameter does', async () => {
    const { account, ids, viewer } = await newResident(service)
    const before = await storedState(db, account.id)
    const overrides = { 'x-http-method-override': 'DELETE', 'x-http-method': 'DELETE', 'x-method-override': 'DELETE' }
    for (const path of [`/v1/shipments/${ids.svc_shipment_id}`, '/portal/v1/session']) {
      const answer = await get(`${path}?_method=DELETE`, { ...overrides, ...viewer.headers })
      expect([200, 400]).toContain(answer.status)
    }
    for (const method of ['TRACE', 'CONNECT', 'PROPFIND', 'DEBUG', 'get', 'PURGE']) {
      const headers: [string, string][] = [
        ['Authorization', `Bearer ${account.key}`],
        ['X-Secret', 'echo me'],
      ]
      const { status, text } = await sendRaw(baseUrl, { method, target: '/v1/shipments', headers })
      // CONNECT has no answer at all: the connection is closed.
      expect(Number.isNaN(status) || (status >= 400 && status < 500), `${method} ${status}`).toBe(true)
      expect(text).not.toContain('echo me')
    }
    expect(await storedState(db, account.id)).toEqual(before)
  })
})
