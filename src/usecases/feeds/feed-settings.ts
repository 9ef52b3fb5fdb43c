import type { FeedChannel } from '../../contract/operator/feeds.js'
import { type Fault, invalid } from '../../contract/refusals.js'

/** Checks of what operators say about a feed, beyond the schema. */

const ofPull = ['url', 'key', 'key_header', 'token_url', 'client_id', 'scope', 'interval_seconds', 'since'] as const
type Given = { [Name in (typeof ofPull)[number]]?: string | number }

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
export function refuseUrl(url: string, name: 'url' | 'token_url' = 'url'): void {
  const wrongUrl = (detail: string) => invalid([{ pointer: `/${name}`, detail }])
  if (!URL.canParse(url)) throw wrongUrl('must be an address that starts with https://')
  const { protocol, username, password, hash } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') throw wrongUrl('must be an address that starts with https://')
  if (username !== '' || password !== '') throw wrongUrl('must not contain a user or password: send the key as `key`')
  if (hash !== '') throw wrongUrl('must not contain a fragment (#)')
}

/** A token is asked for by a client, with its secret. */
export function refuseTokens(
  { token_url, client_id, scope }: { token_url: string | null; client_id: string | null; scope: string | null },
  hasKey: boolean,
): void {
  if (token_url === null) {
    const name = client_id === null ? (scope === null ? undefined : 'scope') : 'client_id'
    if (name !== undefined) throw invalid([{ pointer: `/${name}`, detail: 'is for feeds with a token_url' }])
    return
  }
  refuseUrl(token_url, 'token_url')
  if (client_id === null) throw invalid([{ pointer: '/client_id', detail: 'is required with a token_url' }])
  if (!hasKey) throw invalid([{ pointer: '/key', detail: 'is required with a token_url: the secret of the client' }])
}

const secretBytes = { least: 32, most: 64 }

/** DCSA 2.2: the secret of a subscription has 32 to 64 bytes. */
export function refuseSecret(secret: string): void {
  const { length } = Buffer.from(secret, 'base64')
  if (length >= secretBytes.least && length <= secretBytes.most) return
  throw invalid([{ pointer: '/secret', detail: 'must be 32 to 64 bytes in base64' }])
}
