import type { IncomingEvent } from '../incoming-event.js'
import { normalReference } from '../references.js'
import type { TableContext } from './table-context.js'
import type { Cells } from './table-row.js'

type RowPlace = IncomingEvent['place'] & { timeZone: string | undefined }

/** The place of a row by its code, or by its name: `Shanghai (CNSHA)` has both. */
export function placeOf(cells: Cells, context: TableContext): RowPlace {
  const code = normalReference(cells.text('unlocode'))
  const name = cells.text('place')
  if (code !== '' && !/^[A-Z]{2}[A-Z0-9]{3}$/.test(code))
    throw cells.fault('unlocode', 'must be a UN/LOCODE, such as CNSHA')
  const unlocode = code === '' ? codeIn(name, context) : code
  if (unlocode !== undefined) return { unlocode, name: name || undefined, timeZone: context.zoneOf(unlocode) }
  return name === '' ? { timeZone: undefined } : { name: name.slice(0, 255), timeZone: context.zoneOfName(name) }
}

// Names of five letters look like codes: only those of known places are taken for one, and only in capitals.
function codeIn(name: string, { isPlace }: TableContext): string | undefined {
  const [, bracketed, whole, leading] =
    /\(([A-Z]{2}[ /]?[A-Z0-9]{3})\)|^([A-Z]{2}[ /-]?[A-Z0-9]{3})$|^([A-Z]{5}) ?[-,:] /.exec(name) ?? []
  const code = normalReference(bracketed ?? whole ?? leading ?? '')
  return code !== '' && isPlace(code) ? code : undefined
}
