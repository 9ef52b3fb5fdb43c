import { messageOutcomes } from '../../../../src/contract/operator/messages.js'
import { readerOf, withoutBlanks } from '../../../../src/domain/records/query-values.js'

/** What the page of feeds shows, and which item is open, as the address has it. */

export const shows = ['feeds', 'messages', 'codes', 'senders'] as const
export const codeStates = ['unknown', 'mapped'] as const

export type FeedsSearch = {
  show?: (typeof shows)[number] | undefined
  outcome?: (typeof messageOutcomes)[number] | undefined
  sender?: string | undefined
  reference?: string | undefined
  state?: (typeof codeStates)[number] | undefined
  item?: string | undefined
}

export function readFeedsSearch(raw: Record<string, string>): FeedsSearch {
  const { text, oneOf } = readerOf(raw)
  return withoutBlanks<FeedsSearch>({
    show: oneOf('show', shows),
    outcome: oneOf('outcome', messageOutcomes),
    sender: text('sender'),
    reference: text('reference'),
    state: oneOf('state', codeStates),
    item: text('item', 500),
  })
}
