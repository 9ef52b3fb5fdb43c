import { operatorOperations } from '../../../src/contract/operator/operations.js'
import { linkKinds } from '../../../src/contract/portal/operation.js'
import { portalOperations } from '../../../src/contract/portal/operations.js'
import { operations } from '../../../src/contract/public/operations.js'
import { callbackPath } from '../../../src/usecases/feeds/feed-record.js'
import { sendRaw } from '../raw-http.js'
import { once } from './heavy-account.js'
import { credentialsOf, type HostileRequest, type HostileTarget, statusOf, statusOfBody } from './target.js'

/** Hostile requests to what is found by a secret in the address: feeds of carriers, links and calendars. */

const mebibyte = 1024 * 1024
const bytes = 'application/octet-stream'
const secret = 'x'.repeat(12_000)

async function create<Created>(target: HostileTarget, access: 'customer' | 'operator', path: string, body: object) {
  const headers: [string, string][] = [
    ...credentialsOf(target, access, target.heavy),
    ['Content-Type', 'application/json'],
  ]
  const sent = { method: 'POST', target: path, headers, body: JSON.stringify(body) }
  return JSON.parse((await sendRaw(target.baseUrl, sent)).text) as Created
}

const feedOf = (format: 'dcsa-2.2' | 'dcsa-3.0') =>
  once(async (target) => {
    const body = { sender: `hostile-${format}`, format, channel: 'push' }
    return create<{ feed_id: string; secret: string }>(target, 'operator', operatorOperations.createFeed.path, body)
  })
const signedFeed = feedOf('dcsa-2.2')
const feedWithKey = feedOf('dcsa-3.0')

/** Of a shipment of thousands of containers and events. */
const sharedLink = once(async (target) => {
  const path = operations.createSharedLink.path.replace('{svc_shipment_id}', 'S-heavy')
  const { url } = await create<{ url: string }>(target, 'customer', path, {})
  return new URL(url).hash.slice(1)
})

const event = (at: number) =>
  `{"eventID":"${at}","eventType":"TRANSPORT","eventDateTime":"2026-01-01T00:00:00Z","eventClassifierCode":"ACT","transportEventTypeCode":"DEPA","documentReferences":[{"documentReferenceType":"BKG","documentReferenceValue":"B${at}"}]}`

const pushed: [name: string, status: number, content: () => string][] = [
  ['4 MiB of opening brackets', 413, () => '['.repeat(4 * mebibyte)],
  ['20,000 empty events', 400, () => `[${Array.from({ length: 20_000 }, () => '{}').join(',')}]`],
  ['4,900 events that are all wrong', 400, () => `[${Array.from({ length: 4900 }, (_, at) => event(at)).join(',')}]`],
]

const ofFeeds: HostileRequest[] = [
  ...pushed.map(([name, status, content]) => ({
    name: `receiveFeedEvents (carrier): ${name}`,
    status,
    async send(target: HostileTarget) {
      const { feed_id, secret: key } = await feedWithKey(target, target.heavy)
      const headers = { authorization: `Bearer ${key}` }
      const path = `${callbackPath}/${feed_id}/events`
      return statusOfBody(target, 'anyone', { path, headers, body: content() })
    },
  })),
  {
    name: 'receiveNotification (anyone): 4 MiB with a signature that does not fit',
    status: 401,
    async send(target) {
      const { feed_id } = await signedFeed(target, target.heavy)
      const headers = { 'notification-signature': `sha256=${'0'.repeat(64)}` }
      return statusOfBody(target, 'anyone', {
        path: `${callbackPath}/${feed_id}`,
        headers,
        body: ' '.repeat(4 * mebibyte),
      })
    },
  },
  {
    name: 'receiveNotification (anyone): 4 MiB to a feed that does not exist',
    status: 404,
    send: (target) =>
      statusOfBody(target, 'anyone', {
        path: `${callbackPath}/none`,
        type: bytes,
        body: Buffer.alloc(4 * mebibyte, '['),
      }),
  },
]

const ofLinks: HostileRequest[] = [
  {
    name: 'getSharedShipment (anyone): of a shipment of 2000 containers with 6000 events',
    status: 200,
    async send(target) {
      const headers: [string, string][] = [[linkKinds.shared.header, await sharedLink(target, target.heavy)]]
      return statusOf(target, 'anyone', { target: portalOperations.getSharedShipment.path, headers })
    },
  },
  {
    name: 'readCalendar (anyone): a secret of 12 KB',
    status: 404,
    send: (target) =>
      statusOf(target, 'anyone', { target: portalOperations.readCalendar.path.replace('{token}', secret) }),
  },
  {
    name: 'trackShipment (anyone): a number of 12 KB',
    status: 400,
    send: (target) =>
      statusOfBody(target, 'anyone', {
        path: portalOperations.trackShipment.path,
        body: JSON.stringify({ number: secret, fact: '20095' }),
      }),
  },
  {
    name: 'uploadAsSupplier (anyone): 8 MB without a link',
    status: 404,
    send: (target) =>
      statusOfBody(target, 'anyone', {
        path: portalOperations.uploadAsSupplier.path,
        type: bytes,
        body: Buffer.alloc(8 * mebibyte),
      }),
  },
]

export const hostileSecrets: HostileRequest[] = [...ofFeeds, ...ofLinks]
