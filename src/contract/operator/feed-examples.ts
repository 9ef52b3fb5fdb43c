import type { Example } from '../openapi.js'
import type { feedOperations } from './feed-operations.js'

const feed = { feed_id: 'feed_7c0f5be2a91d4e63b8f20d5c6a7e1934' }

/** Examples of the operations on feeds. */
export const feedExamples = {
  createFeed: {
    body: { sender: 'NSLU', format: 'dcsa-2.2', channel: 'push' },
    response: {
      ...feed,
      sender: 'NSLU',
      format: 'dcsa-2.2',
      channel: 'push',
      created_at: '2026-03-02T10:04:51.207Z',
      paused: false,
      pending_messages: 0,
      push: {
        callback_url: `https://waybill.example/feeds/v1/${feed.feed_id}`,
        refused: 0,
        secrets: [{ created_at: '2026-03-02T10:04:51.207Z' }],
      },
      secret: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=',
    },
  },
  listFeeds: {},
  getFeed: { params: feed },
  updateFeed: { params: feed, body: { paused: true } },
  rotateFeedSecret: { params: feed, body: { old_until: '2026-03-05T00:00:00Z' } },
  removeFeed: { params: feed },
} satisfies Record<keyof typeof feedOperations, Example>
