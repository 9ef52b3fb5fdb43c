import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** A static check: every statement on account data has a condition on the account, or is in this list. */

const withoutAccount: Record<string, string> = {
  'database/backup/backup.ts': 'copies all of the database',
  'store/messages.ts': 'messages belong to their sender, and may be about shipments of several accounts',
  'store/event-identities.ts': 'removes old rows of all senders',
  'store/event-positions.ts': 'counts revisions of all accounts',
  'store/feed-progress.ts': 'reads messages by their sender',
  'store/feeds.ts': 'reads messages by their sender',
  'store/invoices-of-all-accounts.ts': "for operators: the forwarder's invoices",
  'store/keys.ts': 'finds the account of the sandbox by its short name',
  'store/number-series.ts': "the forwarder's numbers of invoices go over all accounts",
  'store/personal-links.ts': 'ends a link by its token, which is its own permission',
  'store/requests.ts': 'removes old rows of all accounts',
  'store/sender-codes.ts': 'messages of a sender with one of its codes',
  'store/sessions.ts': 'removes expired rows of all accounts',
  'store/viewings.ts': 'opens a session by the token of its link, which is its own permission',
  'store/work-items.ts': 'messages, which belong to their sender',
}

// Messages, and which events came with them, belong to their sender.
const ofSenders = new Set([
  'messages',
  'event_identities',
  'senders',
  'sender_codes',
  'free_time_terms',
  'working_days',
  'sender_code_uses',
  'sender_columns',
  'feeds',
  'feed_secrets',
])

const schema = readFileSync('schema.sql', 'utf8')
const tables = [...schema.matchAll(/^create (?:unlogged )?table (\w+) \(\n([^;]*?)\n\)/gm)]
  .filter(([, , columns]) => columns?.includes('account_id'))
  .map(([, name]) => name as string)

type Statement = { file: string; text: string }

/** SQL templates: a statement stays whole within one function. */
const statements: Statement[] = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.includes('migrations/'))
  .flatMap((file) =>
    [...readFileSync(join('src', file), 'utf8').matchAll(/`(?:[^`\\]|\\.)*`/g)].map(([text]) => ({ file, text })),
  )
  .filter(({ text }) => /\b(?:select|insert|update|delete)\b/.test(text))
  .filter(({ text }) => new RegExp(`\\b(?:from|join|update|into)\\s+(?:${tables.join('|')})\\b`).test(text))

test('every statement on account data has a condition on the account', () => {
  expect(tables.length).toBeGreaterThan(20)
  expect(statements.length).toBeGreaterThan(100)
  const silent = statements.filter(({ text }) => !text.includes('account_id')).map(({ file }) => file)
  expect([...new Set(silent)].toSorted()).toEqual(Object.keys(withoutAccount).toSorted())
})

test('every table with account data has the account first in its primary key', () => {
  const keys = [...schema.matchAll(/constraint (\w+)_pkey PRIMARY KEY \((\w+)/g)].map(([, table, first]) => [
    table,
    first,
  ])
  const wrong = keys
    .filter(([table, first]) => tables.includes(table as string) && first !== 'account_id')
    .filter(([table]) => !ofSenders.has(table as string))
  expect(wrong).toEqual([])
})
