import { type EventCode, eventCodes } from '../../../contract/public/event-codes.js'
import { codeOfText } from '../../tracking/event-phrases.js'
import type { CodeMapping } from '../edi/edi-context.js'
import type { TableContext } from './table-context.js'
import type { Cells } from './table-row.js'

/** What a row says happened. */
export type Happening = {
  code: EventCode
  description: string
  sourceCode: string
  status: CodeMapping['status']
  /** What an operator can map: the code, or else the text. */
  key: string
  /** It is not known, or an operator has mapped it. */
  isForeign: boolean
}

const longestKey = 100

/** By the operator's mapping for the sender, by our own codes, and by the list of phrases. */
export function happeningReader({ mappingOf }: TableContext): (cells: Cells) => Happening {
  const codes = new Map<string, EventCode>()
  // Tables repeat few texts many times.
  function phraseOf(text: string): EventCode {
    const code = codes.get(text) ?? codeOfText(text)
    codes.set(text, code)
    return code
  }
  return (cells) => {
    const given = cells.text('code')
    const text = cells.text('event')
    if (given === '' && text === '') throw cells.fault('event', 'is required: what happened')
    const key = (given || text).slice(0, longestKey)
    const mapping = mappingOf(key) ?? (text === '' ? undefined : mappingOf(text.slice(0, longestKey)))
    const own = ownCode(given) ?? ownCode(text)
    const code = mapping?.code ?? own ?? phraseOf(text || given)
    return {
      code,
      description: ownCode(text || given) ? wordsOf(text || given) : text || given,
      sourceCode: given.slice(0, longestKey),
      status: mapping?.status,
      key,
      isForeign: mapping !== undefined || (own === undefined && code === 'OTHER'),
    }
  }
}

const ownCodes = new Map<string, EventCode>(eventCodes.map((code) => [code, code]))

/** `Gate in`, `gate-in` and `GATE_IN`: ours. */
function ownCode(text: string): EventCode | undefined {
  return ownCodes.get(text.toUpperCase().replaceAll(/[ _-]+/g, '_'))
}

/** `Gate in` of `GATE_IN`. */
function wordsOf(code: string): string {
  const words = code.toLowerCase().replaceAll(/[ _-]+/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
