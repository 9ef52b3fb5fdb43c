import type { TableColumns } from '../../../contract/operator/tables.js'
import type { CodeMapping } from '../edi/edi-context.js'

/** What reading a table depends on. */
export type TableContext = {
  settings: TableColumns
  /** When the table was received. */
  receivedAt: number
  /** The time zone of a known place; undefined if it is not known. */
  zoneOf(unlocode: string): string | undefined
  /** The time zone of a place by its name, if all places of the name have the same. */
  zoneOfName(name: string): string | undefined
  isPlace(unlocode: string): boolean
  /** The meaning that an operator gave to a text of this sender. */
  mappingOf(text: string): CodeMapping | undefined
}
