import { type Static, Type } from 'typebox'
import { importKinds } from '../import-line.js'
import { resourceKinds } from '../public/operations.js'
import { closed, Identifier, named, oneOf } from '../schema.js'
import { changeTypes, HistoryId, origin } from './version.js'

/** The resources of the interface, and other records that have a history. */
export const historyKinds = [
  ...resourceKinds,
  'assignment',
  'payment',
  'tracking_event',
  'tracking_position',
  'document_proposal',
  'document_waiver',
  'supplier_link',
  'shared_link',
  'webhook',
  'message',
  'message_file',
  'account',
  'key',
  'person',
] as const
export type HistoryKind = (typeof historyKinds)[number]

/** One version of a resource, with its differences to the previous one. */
export const HistoryEntry = named(
  'HistoryEntry',
  {
    ...origin,
    what: oneOf(changeTypes),
    changes: Type.Array(closed({ pointer: Type.String() }, { before: Type.Unknown(), after: Type.Unknown() }), {
      description: 'Added values have no `before`, removed ones no `after`.',
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
  {
    more_faults: Type.Integer({ description: 'Number of errors that are not listed.' }),
    warnings: Type.Array(closed({ line: tally, pointer: Type.String(), detail: Type.String() }), {
      description: 'Values that were normalised, or look wrong.',
    }),
    more_warnings: Type.Integer({ description: 'Number of warnings that are not listed.' }),
  },
)
export type ImportResult = Static<typeof ImportResult>

export const historyParams = closed({ account: Identifier, kind: oneOf(historyKinds), id: HistoryId })
