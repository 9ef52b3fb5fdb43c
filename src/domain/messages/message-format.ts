import { refuseCounts } from '../../contract/json-counts.js'
import type { MessageFormat } from '../../contract/operator/messages.js'
import { Refusal } from '../../contract/refusals.js'
import { startOf } from './edi/segments.js'

/** The largest message that is taken. */
export const mostMessageBytes = 4 * 1024 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The format of a file, by its content; or why it is none that is taken. */
export function formatOf(content: Uint8Array): { format: MessageFormat } | { fault: string } {
  const from = startOf(content)
  const start = String.fromCharCode(...content.subarray(from, from + 3))
  if (start === 'UNA' || start === 'UNB') return { format: 'iftsta' }
  if (start === 'ISA') return { format: 'x12' }
  if (!/^[[{]/.test(start)) return { fault: 'It is neither EDIFACT (UNA, UNB) nor X12 (ISA) nor JSON.' }
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
