import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { closed, Identifier, named } from '../schema.js'
import { DateWithTime } from '../shared-types.js'

/** What operators see of a resource: what it is made of, what its account sees of it, and where it comes from. */

export const whatHappened = ['created', 'updated', 'corrected', 'removed'] as const

export const Warning = named('Warning', { pointer: Type.String(), detail: Type.String() })
export type Warning = Static<typeof Warning>

export const origin = {
  revision: Type.Integer({ description: "The account's revision that brought it." }),
  recorded_at: DateWithTime,
  recorded_by: Type.String({ description: 'A key, an operator or an import.', examples: ['operator:op_4f1c2a90b7de'] }),
}

export function versionOf<Record extends TObject, Shown extends TSchema>(title: string, record: Record, shown: Shown) {
  return named(
    title,
    { id: Identifier, ...origin, record },
    {
      reason: Type.String(),
      // What the account sees.
      shown,
      warnings: Type.Array(Warning, { description: 'What was accepted, but looks wrong.' }),
    },
  )
}

export const asOf = {
  as_of: Object.assign({ ...DateWithTime }, { description: 'Answer what was known at this time.' }),
}

/** Why it was done, for those who read the history. */
export const Reason = Type.String({ minLength: 1, maxLength: 1000 })

/** By which a history is asked for: an identifier, or several of them in one text. */
export const HistoryId = Type.String({ minLength: 1, maxLength: 4000 })

export const accountParam = { account: Identifier }
export const inAccount = closed(accountParam)
