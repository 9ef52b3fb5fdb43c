import type { LineBatch, NumberedReading } from './lines/line-batch.js'
import type { HeldTablePart } from './tables/held-table.js'
import type { OrderSheetInput } from './tables/order-sheet-job.js'

/** What can be done in an ingest process: its input, and the parts in which its result comes. */
export type IngestTasks = {
  orderSheet: { input: OrderSheetInput; part: HeldTablePart }
  lines: { input: LineBatch; part: NumberedReading[] }
}

export type IngestTask = {
  [Name in keyof IngestTasks]: { name: Name; input: IngestTasks[Name]['input'] }
}[keyof IngestTasks]
export type IngestPart = IngestTasks[keyof IngestTasks]['part']
