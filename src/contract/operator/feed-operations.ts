import { Type } from 'typebox'
import { closed, Identifier } from '../schema.js'
import { Feed, FeedCreate, FeedRotation, FeedUpdate, FeedWithSecret, RemovedFeed } from './feeds.js'
import type { OperatorOperation } from './operation.js'

const feed = closed({ feed_id: Identifier })

/** The connections to carriers, by which messages come in. */
export const feedOperations = {
  listFeeds: {
    method: 'GET',
    path: '/ops/v1/feeds',
    tag: 'Feeds',
    right: 'read',
    summary: 'List feeds by sender, with their progress',
    success: { status: 200, body: Type.Array(Feed) },
    refusals: [],
  },
  createFeed: {
    method: 'POST',
    path: '/ops/v1/feeds',
    tag: 'Feeds',
    right: 'administer',
    summary: 'Add a feed; the secret of one that a carrier sends to is shown only once',
    body: FeedCreate,
    containsSecret: true,
    requiresReauthentication: true,
    recordsAudit: true,
    success: { status: 201, body: FeedWithSecret, location: '/ops/v1/feeds/{feed_id}' },
    refusals: ['too_many_feeds'],
  },
  getFeed: {
    method: 'GET',
    path: '/ops/v1/feeds/{feed_id}',
    tag: 'Feeds',
    right: 'read',
    summary: 'Get one feed, with its progress',
    params: feed,
    success: { status: 200, body: Feed },
    refusals: ['feed_not_found'],
  },
  updateFeed: {
    method: 'PATCH',
    path: '/ops/v1/feeds/{feed_id}',
    tag: 'Feeds',
    right: 'administer',
    summary: 'Pause or resume a feed, or change how it is fetched; then it is fetched at once',
    params: feed,
    body: FeedUpdate,
    recordsAudit: true,
    success: { status: 200, body: Feed },
    refusals: ['feed_not_found'],
  },
  rotateFeedSecret: {
    method: 'POST',
    path: '/ops/v1/feeds/{feed_id}/rotation',
    tag: 'Feeds',
    right: 'administer',
    summary: 'Replace the secret of a feed by a new one, which works at once; the old one works until a chosen time',
    params: feed,
    body: FeedRotation,
    containsSecret: true,
    requiresReauthentication: true,
    recordsAudit: true,
    success: { status: 201, body: FeedWithSecret },
    refusals: ['feed_not_found', 'feed_not_push'],
  },
  removeFeed: {
    method: 'DELETE',
    path: '/ops/v1/feeds/{feed_id}',
    tag: 'Feeds',
    right: 'administer',
    summary: 'Remove a feed with its secrets; its messages stay',
    params: feed,
    recordsAudit: true,
    success: { status: 200, body: RemovedFeed },
    refusals: ['feed_not_found'],
  },
} as const satisfies Record<string, OperatorOperation>
