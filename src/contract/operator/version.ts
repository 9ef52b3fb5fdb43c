import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { DateWithTime } from '../public/shared-types.js'
import { closed, Identifier, named } from '../schema.js'

/** A resource as operators see it: its record, what its account sees, and its origin. */

export const changeTypes = ['created', 'updated', 'corrected', 'removed'] as const

export const Warning = named('Warning', { pointer: Type.String(), detail: Type.String() })
export type Warning = Static<typeof Warning>

export const origin = {
  revision: Type.Integer({ description: "The account's revision that created this version." }),
  recorded_at: DateWithTime,
  recorded_by: Type.String({
    description: 'The author: a key, an operator or an import.',
    examples: ['operator:op_4f1c2a90b7de'],
  }),
}

export function versionOf<Record extends TObject, Shown extends TSchema>(title: string, record: Record, shown: Shown) {
  return named(
    title,
    { id: Identifier, ...origin, record },
    {
      reason: Type.String(),
      // The public body.
      shown,
      warnings: Type.Array(Warning, { description: 'Values that were accepted, but look wrong.' }),
    },
  )
}

/** The reason that the history shows. */
export const Reason = Type.String({ minLength: 1, maxLength: 1000 })

/** Identifier of a history: a plain one, or a JSON array of several. */
export const HistoryId = Type.String({ minLength: 1, maxLength: 4000 })

export const accountParam = { account: Identifier }
export const inAccount = closed(accountParam)
