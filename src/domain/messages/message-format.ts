import { refuseCounts } from '../../contract/json-counts.js'
import type { MessageFormat } from '../../contract/operator/messages.js'
import { Refusal } from '../../contract/refusals.js'
import { startOf } from './edi/segments.js'

/** The largest message that is taken. */
export const mostMessageBytes = 4 * 1024 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Whether it begins as a ZIP archive does, which XLSX files are. */
export function isWorkbook(content: Uint8Array): boolean {
  return content[0] === 0x50 && content[1] === 0x4b && content[2] === 3 && content[3] === 4
}

/** The format of a file, by its content; or why it is none that is taken. A CSV file is known by its name. */
export function formatOf(content: Uint8Array, name: string): { format: MessageFormat } | { fault: string } {
  const from = startOf(content)
  const start = String.fromCharCode(...content.subarray(from, from + 3))
  if (start === 'UNA' || start === 'UNB') return { format: 'iftsta' }
  if (start === 'ISA') return { format: 'x12' }
  if (isWorkbook(content) || /\.(?:csv|tsv)$/i.test(name)) return { format: 'table' }
  if (!/^[[{]/.test(start)) return { fault: 'It is neither EDIFACT (UNA, UNB) nor X12 (ISA) nor JSON, CSV or XLSX.' }
  try {
    refuseCounts(content)
    return { format: isOwnForm(JSON.parse(utf8.decode(content))) ? 'events' : 'dcsa' }
  } catch (error) {
    return { fault: error instanceof Refusal ? error.message : 'It is not valid JSON in UTF-8.' }
  }
}

/** Whether it is a list of events in our own form, which has a description and no type. */
function isOwnForm(json: unknown): boolean {
  const items: unknown = Array.isArray(json) ? json : (json as { events?: unknown }).events
  const first: unknown = Array.isArray(items) ? items[0] : undefined
  return typeof first === 'object' && first !== null && 'description' in first && !('eventType' in first)
}
