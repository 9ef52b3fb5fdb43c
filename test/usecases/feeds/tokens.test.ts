import type { IncomingMessage, ServerResponse } from 'node:http'
import { text as readAll } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { feedAdmin } from '../../support/feeds.js'
import { containerEvent } from '../../support/messages.js'
import { until } from '../../support/program.js'
import { pullFeeds } from '../../support/pull-feeds.js'
import { serviceOnNewDatabase } from '../../support/round-trip.js'

/** Carriers that hand out tokens by OAuth 2.0. */

const service = await serviceOnNewDatabase('tokens')
const admin = await feedAdmin(service)
const { startPuller, newFeed } = pullFeeds(service, admin)

/** A feed whose carrier accepts only the newest token, and says what it was asked for. */
async function feedWithTokens({ takesBasic = true, seconds = 3600 } = {}) {
  const feed = await newFeed({ key: 'first' })
  const asked: { form: Record<string, string>; authorization: string | undefined }[] = []
  const refused: (string | undefined)[] = []
  const carrier = { secret: 's&cret', valid: '' }
  const basic = () => `Basic ${Buffer.from(`our-id:${encodeURIComponent(carrier.secret)}`).toString('base64')}`

  async function handOut(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = Object.fromEntries(new URLSearchParams(await readAll(request)))
    const { authorization } = request.headers
    const isKnown = takesBasic ? authorization === basic() : form.client_secret === carrier.secret
    if (!isKnown) return void response.writeHead(401).end('{"error":"invalid_client"}')
    asked.push({ form, authorization })
    carrier.valid = `token-${asked.length}`
    const body = { access_token: carrier.valid, token_type: 'Bearer', expires_in: seconds }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  }
  feed.server.interfere = async (request, response) => {
    if (request.method === 'POST' && request.url === '/token') {
      await handOut(request, response)
      return true
    }
    const { authorization } = request.headers
    if (authorization === `Bearer ${carrier.valid}`) return false
    refused.push(authorization)
    response.writeHead(401).end()
    return true
  }
  const { server, change } = feed
  await change({ token_url: `${server.url}/token`, client_id: 'our-id', key: carrier.secret })
  return { ...feed, asked, refused, carrier }
}

test('a token is asked for once, used for all pages and rounds, and renewed when the carrier refuses it', async () => {
  const { server, ship, containers, carrier, asked, refused, caughtUp, again, change, pull } = await feedWithTokens({
    takesBasic: false,
  })
  await ship()
  server.events.push(
    ...[5, 6, 7].map((day) => containerEvent(containers[0], { at: 'CNNGB', code: 'GTIN', day, id: `gate ${day}` })),
  )
  await change({ scope: 'events.read', key_header: 'Consumer-Key' })
  startPuller()
  await caughtUp()
  await again()
  expect(asked).toEqual([
    {
      form: { grant_type: 'client_credentials', scope: 'events.read', client_id: 'our-id', client_secret: 's&cret' },
      authorization: undefined,
    },
  ])
  const pages = server.requests.filter(({ path }) => path.startsWith('/v2/events'))
  expect(pages.length).toBeGreaterThan(2)
  expect(new Set(pages.map(({ headers }) => headers['consumer-key']))).toEqual(new Set(['our-id']))

  carrier.valid = 'another'
  await again()
  expect(asked).toHaveLength(2)
  expect(refused).toEqual(['Bearer token-1'])
  const state = await pull()
  expect(state).toMatchObject({ has_key: true, failures: 0, client_id: 'our-id', scope: 'events.read' })
  expect(JSON.stringify(state)).not.toMatch(/s&cret|token-\d/)
})

test('a client proves itself in the header, and a token that has ended is asked for again', async () => {
  const { asked, caughtUp, again } = await feedWithTokens({ seconds: 1 })
  startPuller()
  await caughtUp()
  await again()
  expect(asked.length).toBeGreaterThan(1)
  expect(asked[0]).toMatchObject({
    form: { grant_type: 'client_credentials' },
    authorization: expect.stringMatching(/^Basic /),
  })
})

test('a client whose secret is wrong is reported, and works with the right one', async () => {
  const { carrier, caughtUp, change, pull } = await feedWithTokens({ takesBasic: false })
  await change({ key: 'wrong' })
  startPuller()
  await until(async () => (await pull())?.error !== undefined)
  expect((await pull())?.error).toBe('No token: The carrier refuses the key (401).')
  await change({ key: carrier.secret })
  await caughtUp()
})

test('what a token needs is required, and belongs to tokens only', async () => {
  const add = (given: object) =>
    admin.ops('createFeed', undefined, {
      body: { sender: 'HLCU', format: 'dcsa-2.2', channel: 'pull', url: 'https://c.example', ...given },
    })
  const refusals: [object, string][] = [
    [{ token_url: 'https://c.example/token', key: 'k' }, '/client_id'],
    [{ token_url: 'https://c.example/token', client_id: 'us' }, '/key'],
    [{ token_url: 'https://us:k@c.example/token', client_id: 'us', key: 'k' }, '/token_url'],
    [{ client_id: 'us', key: 'k' }, '/client_id'],
    [{ scope: 'all', key: 'k' }, '/scope'],
  ]
  for (const [given, pointer] of refusals) {
    const response = await add(given)
    expect(response).toBeRefused('invalid_request')
    expect(JSON.stringify(response.problem)).toContain(`"${pointer}"`)
  }
})
