import { type Static, Type } from 'typebox'
import { importKinds } from '../import-line.js'
import { resourceKinds } from '../operations.js'
import { closed, Identifier, named, oneOf } from '../schema.js'
import { HistoryId, origin, whatHappened } from './version.js'

/** The resources of the interface, and what has no address in it, but a history. */
export const historyKinds = [
  ...resourceKinds,
  'assignment',
  'payment',
  'tracking_event',
  'tracking_position',
  'account',
  'key',
  'person',
] as const
export type HistoryKind = (typeof historyKinds)[number]

/** One version of a resource, and in what it differs from the one before. */
export const HistoryEntry = named(
  'HistoryEntry',
  {
    ...origin,
    what: oneOf(whatHappened),
    changes: Type.Array(closed({ pointer: Type.String() }, { before: Type.Unknown(), after: Type.Unknown() }), {
      description: 'What was added has no `before`, what was taken away no `after`.',
    }),
  },
  { reason: Type.String(), record: Type.Unknown() },
)
export type HistoryEntry = Static<typeof HistoryEntry>

const tally = Type.Integer({ minimum: 0 })
const Tally = closed({ created: tally, updated: tally, unchanged: tally })

export const ImportResult = named(
  'ImportResult',
  {
    kept: Type.Boolean({ description: 'Whether anything was changed.' }),
    lines: tally,
    rejected: tally,
    kinds: closed(Object.fromEntries(importKinds.map((kind) => [kind, Tally]))),
    faults: Type.Array(closed({ line: tally, pointer: Type.String(), detail: Type.String() })),
  },
  { more_faults: Type.Integer({ description: 'How many are not listed.' }) },
)
export type ImportResult = Static<typeof ImportResult>

export const historyParams = closed({ account: Identifier, kind: oneOf(historyKinds), id: HistoryId })
