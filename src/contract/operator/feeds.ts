import { type Static, Type } from 'typebox'
import { DateWithTime } from '../public/shared-types.js'
import { closed, Identifier, named, oneOf, patterned } from '../schema.js'
import { Sender } from './messages.js'

/** Feeds: the connections by which carriers send events to us (push), or from which we fetch them (pull). */

export const feedFormats = ['dcsa-2.2', 'dcsa-3.0'] as const
export type FeedFormat = (typeof feedFormats)[number]
export const feedChannels = ['push', 'pull'] as const
export type FeedChannel = (typeof feedChannels)[number]

const Url = Type.String({
  minLength: 1,
  maxLength: 2000,
  description:
    'Where to fetch from: the address of the events, with filters in its query if needed, or of the interface, to which `/v2/events` (2.2) or `/events` (3.0) is added.',
})
const Key = patterned('^[\\x21-\\x7e]{1,4000}$', 'must be 1 to 4000 printable ASCII characters without spaces', {
  description:
    'The key for the interface of the carrier, or with `token_url` the secret of the client. It is stored encrypted, and never shown.',
})
const KeyHeader = patterned("^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$", 'must be the name of a header', {
  description:
    'The header in which the key is sent; by default `Authorization`, as `Bearer`. With `token_url`, a further header in which the `client_id` is sent.',
})
const TokenUrl = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: 'Where the carrier hands out tokens by OAuth 2.0 (client credentials), which are then sent as `Bearer`.',
})
const ClientId = patterned('^[\\x21-\\x7e]{1,500}$', 'must be 1 to 500 printable ASCII characters without spaces', {
  description: 'The client for which tokens are handed out.',
})
const Scope = patterned('^[\\x20-\\x7e]{1,1000}$', 'must be 1 to 1000 printable ASCII characters', {
  description: 'What the token is asked for, if the carrier wants to know.',
})
const Interval = Type.Integer({
  minimum: 10,
  maximum: 86_400,
  description: 'Seconds between two rounds of fetching; by default 300.',
})
const Secret = patterned('^[A-Za-z0-9+/]{42,86}={0,2}$', 'must be 32 to 64 bytes in base64', {
  description: 'The secret that the carrier signs with (2.2); without it, one is generated.',
})
const Paused = Type.Boolean({
  description: 'A paused feed fetches nothing, and responds to carriers with 503, so that they send later.',
})

export const FeedCreate = named(
  'FeedCreate',
  { sender: Sender, format: oneOf(feedFormats), channel: oneOf(feedChannels) },
  {
    url: Url,
    key: Key,
    key_header: KeyHeader,
    token_url: TokenUrl,
    client_id: ClientId,
    scope: Scope,
    interval_seconds: Interval,
    since: DateWithTime,
    secret: Secret,
  },
)
export type FeedCreate = Static<typeof FeedCreate>

export const FeedUpdate = named(
  'FeedUpdate',
  {},
  {
    paused: Paused,
    url: Url,
    key: Key,
    key_header: KeyHeader,
    token_url: TokenUrl,
    client_id: ClientId,
    scope: Scope,
    interval_seconds: Interval,
    since: DateWithTime,
  },
)
export type FeedUpdate = Static<typeof FeedUpdate>

export const FeedRotation = named(
  'FeedRotation',
  {},
  {
    old_until: Type.Unsafe<string>({
      ...DateWithTime,
      description: 'Until when the old secret works; by default for 24 hours, at most 30 days.',
    }),
    secret: Secret,
  },
)
export type FeedRotation = Static<typeof FeedRotation>

const count = Type.Integer({ minimum: 0 })

const PushState = closed(
  {
    callback_url: Type.String({ description: 'Where the carrier sends to.' }),
    refused: Type.Integer({
      minimum: 0,
      description: 'Requests without a valid signature or key. Nothing of them is stored.',
    }),
    secrets: Type.Array(closed({ created_at: DateWithTime }, { until: DateWithTime }), {
      description: 'The secrets that work, oldest first; several while one is replaced.',
    }),
  },
  { last_refused_at: DateWithTime },
)

const PullState = closed(
  {
    url: Type.String(),
    has_key: Type.Boolean(),
    interval_seconds: Type.Integer(),
    failures: Type.Integer({ minimum: 0, description: 'Attempts that failed since the last one that succeeded.' }),
    lag_seconds: Type.Integer({
      minimum: 0,
      description: 'Seconds since the last page was reached, or since the feed was added.',
    }),
  },
  {
    key_header: Type.String(),
    token_url: TokenUrl,
    client_id: Type.String({ description: 'The client for which tokens are handed out.' }),
    scope: Type.String({ description: 'What the token is asked for.' }),
    since: Type.Unsafe<string>({ ...DateWithTime, description: 'Events that were created before have been fetched.' }),
    cursor: Type.String({ description: 'The address of the next page, while a round is under way.' }),
    last_attempt_at: DateWithTime,
    last_success_at: DateWithTime,
    caught_up_at: Type.Unsafe<string>({ ...DateWithTime, description: 'When the last page was reached.' }),
    next_attempt_at: DateWithTime,
    error: Type.String({ description: 'Why the last attempt failed.' }),
  },
)

const feedFields = {
  feed_id: Identifier,
  sender: Type.String(),
  format: oneOf(feedFormats),
  channel: oneOf(feedChannels),
  created_at: DateWithTime,
  paused: Type.Boolean(),
  pending_messages: Type.Unsafe<number>({
    ...count,
    description: 'Stored messages of the sender that are not processed yet; at most 1000 are counted.',
  }),
}
const feedOptional = {
  last_message: closed({ message_id: Type.Integer(), received_at: DateWithTime }),
  push: PushState,
  pull: PullState,
}

export const Feed = named('Feed', feedFields, feedOptional)
export type Feed = Static<typeof Feed>

export const FeedWithSecret = named('FeedWithSecret', feedFields, {
  ...feedOptional,
  secret: Type.String({
    description:
      'The secret of a subscription (2.2), or the key that the carrier sends as `Authorization: Bearer` (3.0). It is shown only once.',
  }),
})
export type FeedWithSecret = Static<typeof FeedWithSecret>

export const RemovedFeed = named('RemovedFeed', { removed: Identifier })
