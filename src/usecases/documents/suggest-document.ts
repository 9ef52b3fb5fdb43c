import type { DocumentSuggestion, SuggestedType } from '../../contract/operator/document-suggestions.js'
import { possibleNumbers } from '../../domain/documents/possible-numbers.js'
import { type FoundNumber, rankShipments } from '../../domain/documents/rank-shipments.js'
import { typeInName, typeInText } from '../../domain/documents/type-words.js'
import { mapInSlices } from '../../jobs/in-slices.js'
import { readPdfText } from '../../pdf/pdf-text.js'
import { readTable } from '../../spreadsheet/table-process.js'
import { findReferencedShipments } from '../../store/shipment-references.js'
import type { OperatorHandler } from '../operator-context.js'

/** What a file seems to be, and to which shipment it seems to belong, by its name and text. */

const mostNumbers = 1000
const mostPerReference = 20
const mostShipments = 10

export const suggestDocument: OperatorHandler<'suggestDocument'> = async (
  { db, author, operator },
  { query: { name }, content },
) => {
  const pages = await textOf(name, content, author)
  const places = await placesOf(name, pages ?? [])
  const rows = await findReferencedShipments(db, operator.accounts, [...places.keys()], mostPerReference)
  const ranked = rankShipments(rows, places).slice(0, mostShipments)
  const type = typeOf(name, pages?.join('\n') ?? '', ranked[0]?.found ?? [])
  return {
    text: pages === undefined ? 'unreadable' : pages.some((page) => page.trim() !== '') ? 'read' : 'none',
    shipments: ranked.map(({ account, account_name, svc_shipment_id, status, found }) => ({
      account,
      account_name,
      svc_shipment_id,
      ...(status !== null && { status }),
      found,
    })),
    ...(type && { type }),
  } satisfies DocumentSuggestion
}

const longestText = 100_000
const texts = /\.(?:txt|csv|edi|xml|json|eml)$/i

/** The text by pages; empty for other formats, undefined if it cannot be read. */
async function textOf(name: string, content: Buffer, owner: string): Promise<string[] | undefined> {
  if (content.length === 0) return []
  if (content.subarray(0, 1024).includes('%PDF-')) return readPdfText(content, owner)
  if (texts.test(name)) return [content.toString('utf8', 0, longestText)]
  if (!/\.xlsx$/i.test(name)) return []
  const table = await readTable(content, owner)
  if ('unreadable' in table) return undefined
  return [tableText(table.sheets)]
}

function tableText(sheets: { rows: unknown[] }[]): string {
  let text = ''
  for (const row of sheets.flatMap(({ rows }) => rows)) {
    if (text.length > longestText) break
    text += `${JSON.stringify(row).replaceAll(/[[\]{}",]+/g, ' ')}\n`
  }
  return text.slice(0, longestText)
}

type Places = Map<string, Pick<FoundNumber, 'found_in' | 'page'>>

/** Where each possible number was found first; the name goes first. */
async function placesOf(name: string, pages: string[]): Promise<Places> {
  const places: Places = new Map()
  for (const number of possibleNumbers(name.replace(/\.[^.]*$/, ''), 'name', mostNumbers))
    places.set(number, { found_in: 'name' })
  // A page of nothing but short words takes tens of milliseconds.
  const numbers = await mapInSlices(pages, (page) => possibleNumbers(page, 'content', mostNumbers))
  for (const [index, found] of numbers.entries()) {
    for (const number of found) {
      if (places.size >= mostNumbers) return places
      if (!places.has(number)) places.set(number, { found_in: 'content', ...(pages.length > 1 && { page: index + 1 }) })
    }
  }
  return places
}

function typeOf(name: string, text: string, found: FoundNumber[]): SuggestedType | undefined {
  const inName = typeInName(name)
  const named = inName ?? typeInText(text)
  if (!named) return undefined
  const { type, house, words } = named
  const isFound = (wanted: FoundNumber['kind']) => found.some(({ kind }) => kind === wanted)
  const isHouse = isFound('house_bill') && !isFound('master_bill')
  return { type: isHouse && house ? house : type, words, found_in: inName ? 'name' : 'content' }
}
