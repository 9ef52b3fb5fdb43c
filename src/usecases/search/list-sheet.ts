import type { Language } from '../../contract/portal/people.js'
import { mapInSlices } from '../../jobs/in-slices.js'
import type { Cell } from '../../spreadsheet/cell.js'
import type { SpreadsheetContent } from '../../spreadsheet/spreadsheet-file.js'
import type { Page } from '../../store/search/page.js'

/** A list of the portal as a spreadsheet: all pages of its search, in its order. */

export type Column<Row> = { en: string; fr: string; of(row: Row): Cell | undefined }

type Given<Entry, Row> = {
  name: Record<Language, string>
  fileName: string
  language: Language
  columns: Column<Row>[]
  /** The rows of an entry of the list. */
  rowsOf(entry: Entry): Row[]
  /** Bodies may end before their link. */
  parse(body: string): Entry
  read(page: { take: number; after?: string }): Promise<Page>
}

// Bodies can be large.
const pageLength = 100

/** Read page by page while the file is sent. */
export async function listSheet<Entry, Row>(given: Given<Entry, Row>): Promise<SpreadsheetContent> {
  const { columns, language, parse, rowsOf, read } = given
  // The first page is read before the response begins, so that a failure is an error response.
  const first = await read({ take: pageLength })
  async function* rows(): AsyncGenerator<Cell[][]> {
    for (let page = first; ; page = await read({ take: pageLength, after: page.next })) {
      yield await cellsOf(page.bodies, (body) => rowsOf(parse(body)), columns)
      if (page.next === undefined) return
    }
  }
  return {
    name: given.name[language],
    fileName: given.fileName,
    header: columns.map((column) => column[language]),
    rows: rows(),
  }
}

/** Of a page of entries, which may be large. */
async function cellsOf<Entry, Row>(
  entries: Entry[],
  rowsOf: (entry: Entry) => Row[],
  columns: Column<Row>[],
): Promise<Cell[][]> {
  const cells = (entry: Entry) => rowsOf(entry).map((row) => columns.map(({ of }) => of(row) ?? null))
  return (await mapInSlices(entries, cells)).flat()
}

type Skipping<Entry, Row> = Pick<Given<Entry, Row>, 'name' | 'fileName' | 'language' | 'columns' | 'rowsOf'> & {
  read(page: { skip: number; take: number }): Promise<Entry[]>
}

/** The same for a list that is paged by number. */
export async function skippingSheet<Entry, Row>(
  given: Skipping<Entry, Row>,
  take: number,
): Promise<SpreadsheetContent> {
  const { columns, language, rowsOf, read } = given
  const first = await read({ skip: 0, take })
  async function* rows(): AsyncGenerator<Cell[][]> {
    let skip = 0
    for (let page = first; page.length > 0; page = await read({ skip, take })) {
      yield await cellsOf(page, rowsOf, columns)
      if (page.length < take) return
      skip += page.length
    }
  }
  return {
    name: given.name[language],
    fileName: given.fileName,
    header: columns.map((column) => column[language]),
    rows: rows(),
  }
}

export function dayCell(day: string | undefined): Cell | undefined {
  return day === undefined ? undefined : new Date(`${day}T00:00:00Z`)
}
