import { text as readAll } from 'node:stream/consumers'
import type { Command } from 'commander'
import { type Feed, FeedCreate, FeedUpdate, feedFormats } from '../../contract/operator/feeds.js'
import { validatorOf } from '../../contract/validation.js'
import type { Database, TransactionSql } from '../../database/database.js'
import { beginForwarderWrite } from '../../ledger/idempotent-write.js'
import { commandLine } from '../../store/audit.js'
import { listFeedStates } from '../../store/feeds.js'
import { removeFeedIn, rotateFeedSecretIn, updateFeedIn } from '../../usecases/feeds/change-feed.js'
import { createFeedIn } from '../../usecases/feeds/create-feed.js'
import { feedOf, getFeedRecord } from '../../usecases/feeds/feed-record.js'
import { expiryOf } from '../expiry.js'
import { flagFault } from '../flag-fault.js'
import { withStorage } from '../open-storage.js'
import { baseOf } from '../portal-address.js'
import { readSettings } from '../settings.js'
import { table } from '../table.js'

type AddFlags = {
  carrier: string
  format: string
  push?: true
  url?: string
  key?: string
  keyHeader?: string
  tokenUrl?: string
  clientId?: string
  scope?: string
  interval?: string
  since?: string
  json?: true
}
type ChangeFlags = Omit<AddFlags, 'carrier' | 'format' | 'push'>

export function addTo(program: Command): void {
  const feed = program.command('feed').description('manage feeds: the connections by which events of carriers come in')

  const add = feed
    .command('add')
    .requiredOption('--carrier <code>', 'the sender of the events, such as MAEU')
    .requiredOption('--format <format>', `one of ${feedFormats.join(', ')}`)
    .option('--push', 'the carrier sends events to us: print the address and the secret to give to the carrier')
  addPullOptions(add)
    .description('add a feed, which is fetched from the carrier, or with --push sent by it')
    .action(async (flags: AddFlags) => {
      const given = {
        sender: flags.carrier,
        format: flags.format,
        channel: flags.push ? 'push' : 'pull',
        ...(await pullSettings(flags)),
      }
      const created = await inTransaction(async (sql, base) => {
        const { feed_id, secret } = await createFeedIn(sql, validatorOf(FeedCreate).check(given), commandLine)
        return { ...(await getFeedRecord(sql, feed_id, base)), ...(secret !== undefined && { secret }) }
      })
      console.log(flags.json ? JSON.stringify(created) : addedText(created))
    })

  feed
    .command('list')
    .option('--json', 'print the result as JSON')
    .description('list feeds and their progress')
    .action(async (flags: { json?: true }) => {
      const feeds = await withDatabase(async (db, base) => (await listFeedStates(db)).map((row) => feedOf(row, base)))
      console.log(flags.json ? JSON.stringify(feeds) : table(feeds.map(rowOf)))
    })

  addPullOptions(feed.command('change').argument('<feed_id>', 'the feed_id shown by `feed list`'))
    .description('change how a feed is fetched; then it is fetched at once')
    .action(async (feedId: string, flags: ChangeFlags) => {
      await change(feedId, await pullSettings(flags), `Changed the feed ${feedId}.`, flags)
    })

  addSimpleCommand(feed, 'pause', 'fetch no more, and let a carrier that sends wait', (feedId, flags) =>
    change(feedId, { paused: true }, `Paused the feed ${feedId}.`, flags),
  )
  addSimpleCommand(feed, 'resume', 'end a pause, and fetch at once', (feedId, flags) =>
    change(feedId, { paused: false }, `Resumed the feed ${feedId}.`, flags),
  )
  addSimpleCommand(feed, 'remove', 'remove a feed with its secrets; its messages stay', async (feedId, flags) => {
    await inTransaction((sql) => removeFeedIn(sql, feedId, commandLine))
    console.log(flags.json ? JSON.stringify({ removed: feedId }) : `Removed the feed ${feedId}.`)
  })

  feed
    .command('rotate')
    .argument('<feed_id>', 'the feed_id shown by `feed list`')
    .option(
      '--old-until <date>',
      'when the old secret ends: last day (UTC), or date and time with offset (default: in 24 hours)',
    )
    .option('--json', 'print the result as JSON')
    .description('print a new secret of a feed that a carrier sends to; the old one works until it ends')
    .action(async (feedId: string, flags: { oldUntil?: string; json?: true }) => {
      const old_until = expiryOf(flags.oldUntil)?.toISOString()
      const secret = await inTransaction((sql) =>
        rotateFeedSecretIn(sql, feedId, { ...(old_until !== undefined && { old_until }) }, commandLine),
      )
      console.log(flags.json ? JSON.stringify({ feed_id: feedId, secret }) : secret)
    })
}

function addPullOptions(command: Command): Command {
  return command
    .option('--url <address>', 'where to fetch from')
    .option('--key <key>', 'the key for the interface of the carrier; - reads it from the input')
    .option('--key-header <name>', 'the header in which the key is sent (default: Authorization, as Bearer)')
    .option(
      '--token-url <address>',
      'where the carrier hands out tokens by OAuth 2.0; --key is then the secret of the client',
    )
    .option('--client-id <id>', 'the client for which tokens are handed out')
    .option('--scope <scope>', 'what the token is asked for')
    .option('--interval <seconds>', 'time between two rounds of fetching, from 10 to 86400 (default: 300)')
    .option('--since <date>', 'fetch events that were created since then: date and time with offset (default: all)')
    .option('--json', 'print the result as JSON')
}

function addSimpleCommand(
  feed: Command,
  name: string,
  description: string,
  run: (feedId: string, flags: { json?: true }) => Promise<void>,
): void {
  feed
    .command(name)
    .argument('<feed_id>', 'the feed_id shown by `feed list`')
    .option('--json', 'print the result as JSON')
    .description(description)
    .action(run)
}

async function pullSettings(flags: ChangeFlags): Promise<Record<string, unknown>> {
  const { url, key, keyHeader, tokenUrl, clientId, scope, interval, since } = flags
  return {
    ...(url !== undefined && { url }),
    // Arguments are visible to other users of the machine.
    ...(key !== undefined && { key: key === '-' ? (await readAll(process.stdin)).trim() : key }),
    ...(keyHeader !== undefined && { key_header: keyHeader }),
    ...(tokenUrl !== undefined && { token_url: tokenUrl }),
    ...(clientId !== undefined && { client_id: clientId }),
    ...(scope !== undefined && { scope }),
    ...(interval !== undefined && { interval_seconds: Number(interval) }),
    ...(since !== undefined && { since }),
  }
}

async function change(feedId: string, given: object, text: string, { json }: { json?: true }): Promise<void> {
  const changed = await inTransaction(async (sql, base) => {
    await updateFeedIn(sql, feedId, validatorOf(FeedUpdate).check(given), commandLine)
    return getFeedRecord(sql, feedId, base)
  })
  console.log(json ? JSON.stringify(changed) : text)
}

function withDatabase<Result>(work: (db: Database, base: string) => Promise<Result>): Promise<Result> {
  const settings = readSettings(process.env)
  // With PORT=0 nobody knows the address.
  const base = settings.publicUrl === undefined && settings.port === 0 ? '' : baseOf(settings, 'portal')
  return withStorage(settings, ({ db }) => work(db, base))
}

const flagOf: Record<string, string> = { sender: '--carrier', interval_seconds: '--interval' }

async function inTransaction<Result>(work: (sql: TransactionSql, base: string) => Promise<Result>): Promise<Result> {
  try {
    return await withDatabase((db, base) => beginForwarderWrite(db, (sql) => work(sql, base)))
  } catch (error) {
    throw flagFault(error, flagOf)
  }
}

function addedText({ feed_id, push, secret }: Feed & { secret?: string }): string {
  if (!push) return feed_id
  return table([{ feed_id, callback: push.callback_url, secret: secret ?? '' }])
}

function rowOf({ feed_id, sender, format, channel, paused, last_message, pull, push }: Feed): Record<string, string> {
  return {
    feed_id,
    carrier: sender,
    format,
    channel,
    state: paused ? 'paused' : pull?.error === undefined ? 'active' : `failing (${pull.failures})`,
    last_message: last_message?.received_at ?? '',
    caught_up: pull?.caught_up_at ?? '',
    refused: push ? String(push.refused) : '',
    address: push?.callback_url ?? pull?.url ?? '',
    error: pull?.error ?? '',
  }
}
