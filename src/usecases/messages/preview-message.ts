import type { MessageDetails, MessageEvent } from '../../contract/operator/messages.js'
import type { MessagePreview, TableHeading } from '../../contract/operator/tables.js'
import type { Database, TransactionSql } from '../../database/database.js'
import { columnsOf } from '../../domain/messages/table/table-columns.js'
import { fairQueue } from '../../jobs/fair-queue.js'
import { type ReadTable, readTable } from '../../spreadsheet/table-process.js'
import { findMessageToProcess, lockSender, type PendingMessage, storeMessage } from '../../store/messages.js'
import { findColumns, saveColumns } from '../../store/sender-columns.js'
import type { OperatorHandler } from '../operator-context.js'
import { processMessage } from './process-message.js'
import { getMessageDetails } from './read-messages.js'
import { columnsIn } from './sender-columns.js'

/** What a message would do: it is stored and processed as any other, in a transaction that is rolled back. */

// Accounts are locked meanwhile: one at a time.
const queue = fairQueue({ concurrency: 1, jobsPerOwner: 3, jobs: 10 }, 'Many messages are being previewed; try again.')
const lockTimeout = 5000

export const previewMessage: OperatorHandler<'previewMessage'> = async (
  { db, quotas, author },
  { query: { sender, format, columns }, content },
) => {
  const settings = columns === undefined ? undefined : columnsIn(columns)
  const table = format === 'table' ? await readTable(content, author) : undefined
  return queue.run(author, () =>
    withoutCommit(db, async (sql) => {
      await lockSender(sql, sender)
      if (settings) await saveColumns(sql, sender, settings, author)
      const message_id = await storeMessage(sql, { sender, format, channel: 'http', content })
      const message = (await findMessageToProcess(sql, message_id)) as PendingMessage
      await processMessage(sql, message, { quotas, table })
      const headings = table && (await headingsOf(sql, sender, table))
      return previewOf(await getMessageDetails(sql, 'all', message_id), headings)
    }),
  )
}

class RolledBack<Result> extends Error {
  constructor(readonly result: Result) {
    super('rolled back')
  }
}

async function withoutCommit<Result>(db: Database, work: (sql: TransactionSql) => Promise<Result>): Promise<Result> {
  try {
    await db.begin(
      async (sql) => {
        throw new RolledBack(await work(sql))
      },
      { lockTimeout, pinsPlans: true },
    )
  } catch (error) {
    if (error instanceof RolledBack) return error.result as Result
    throw error
  }
  throw new Error('a preview was not rolled back')
}

async function headingsOf(sql: TransactionSql, sender: string, table: ReadTable): Promise<TableHeading[]> {
  if ('unreadable' in table) return []
  const settings = (await findColumns(sql, sender))?.settings ?? {}
  return table.sheets.flatMap((sheet) => columnsOf(sheet, settings).headings).slice(0, mostHeadings)
}

const mostHeadings = 1000
const shownFirst = 200
const mostShown = 1000

function previewOf(
  { outcome, reason, counts, events, warnings }: MessageDetails,
  headings: TableHeading[] | undefined,
): MessagePreview {
  const isShown = ({ outcome: each }: MessageEvent, index: number) => index < shownFirst || each !== 'applied'
  return {
    outcome,
    ...(reason !== undefined && { reason }),
    counts,
    // Nothing has these identifiers yet.
    events: events
      .filter(isShown)
      .slice(0, mostShown)
      .map(({ event_id: _id, ...event }) => event),
    ...(warnings && { warnings }),
    ...(headings && { headings }),
  }
}
