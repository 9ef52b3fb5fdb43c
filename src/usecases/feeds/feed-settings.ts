import type { FeedChannel } from '../../contract/operator/feeds.js'
import { type Fault, invalid } from '../../contract/refusals.js'

/** Checks of what operators say about a feed, beyond the schema. */

type Given = { url?: string; key?: string; key_header?: string; interval_seconds?: number; since?: string }
const ofPull = ['url', 'key', 'key_header', 'interval_seconds', 'since'] as const

export function refuseOtherChannel(channel: FeedChannel, given: Given): void {
  if (channel === 'pull') return
  const faults = ofPull
    .filter((name) => given[name] !== undefined)
    .map(
      (name): Fault => ({ pointer: `/${name}`, detail: 'is for feeds that are fetched: the carrier sends this one' }),
    )
  if (faults.length > 0) throw invalid(faults)
}

/** Refuses addresses that are not of the web, or that contain a password, which would be shown. */
export function refuseUrl(url: string): void {
  if (!URL.canParse(url)) throw wrongUrl('must be an address that starts with https://')
  const { protocol, username, password, hash } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') throw wrongUrl('must be an address that starts with https://')
  if (username !== '' || password !== '') throw wrongUrl('must not contain a user or password: send the key as `key`')
  if (hash !== '') throw wrongUrl('must not contain a fragment (#)')
}

function wrongUrl(detail: string) {
  return invalid([{ pointer: '/url', detail }])
}

const secretBytes = { least: 32, most: 64 }

/** DCSA 2.2: the secret of a subscription has 32 to 64 bytes. */
export function refuseSecret(secret: string): void {
  const { length } = Buffer.from(secret, 'base64')
  if (length >= secretBytes.least && length <= secretBytes.most) return
  throw invalid([{ pointer: '/secret', detail: 'must be 32 to 64 bytes in base64' }])
}
