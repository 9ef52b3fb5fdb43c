import { type Static, Type } from 'typebox'
import { closed, explained } from '../schema.js'

/** Filters of lists whose items wait for the forwarder: by what was recorded with `POST /ops/v1/work/items/actions`. */
export const handledFilter = {
  owner: Type.String({
    maxLength: 255,
    description:
      'Who looks after it, as recorded with `POST /ops/v1/work/items/actions`; empty for those of nobody. All if it is omitted.',
  }),
  snoozed: explained(['true', 'false'], 'Whether it is put aside. All if it is omitted.', {
    true: 'What is put aside until a time.',
    false: 'What is not.',
  }),
}

const HandledFilter = closed({}, handledFilter)
export type HandledFilter = Static<typeof HandledFilter>
