import { plainHeading } from '../../records/column-headings.js'
import type { IncomingEvent } from '../incoming-event.js'
import type { Cells } from './table-row.js'

const words: Record<IncomingEvent['status'], string[]> = {
  actual: ['actual', 'act', 'a', 'done', 'confirmed', 'reel', 'reelle', 'effectif', 'effective', 'realise', 'fait'],
  estimated: [
    'estimated',
    'estimate',
    'est',
    'e',
    'expected',
    'forecast',
    'estime',
    'estimee',
    'prevu',
    'prevue',
    'attendu',
  ],
  planned: ['planned', 'plan', 'pln', 'p', 'scheduled', 'planifie', 'planifiee', 'programme', 'programmee'],
  problem: ['problem', 'issue', 'incident', 'probleme', 'anomalie'],
}
const statuses = new Map(
  (Object.keys(words) as IncomingEvent['status'][]).flatMap((status) =>
    words[status].map((word) => [plainHeading(word), status] as const),
  ),
)

/** Whether it has happened; undefined if the row does not say it. */
export function readStatus(cells: Cells): IncomingEvent['status'] | undefined {
  const text = cells.text('status')
  if (text === '') return undefined
  const status = statuses.get(plainHeading(text))
  if (!status)
    throw cells.fault(
      'status',
      `is ${JSON.stringify(text.slice(0, 60))}: it must be actual, estimated, planned or problem`,
    )
  return status
}

const yes = new Set([
  'yes',
  'y',
  'x',
  'true',
  '1',
  'retracted',
  'withdrawn',
  'cancelled',
  'canceled',
  'oui',
  'o',
  'vrai',
  'retire',
  'annule',
  'retracte',
])
const no = new Set(['', 'no', 'n', 'false', '0', 'non', 'faux'])

/** Whether the row takes back what it stated before. */
export function readRetraction(cells: Cells): boolean {
  const text = cells.text('retracted')
  const word = plainHeading(text)
  if (yes.has(word)) return true
  if (no.has(word)) return false
  throw cells.fault('retracted', `is ${JSON.stringify(text.slice(0, 60))}: it must be yes, no or empty`)
}
