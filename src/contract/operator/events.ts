import { type Static, Type } from 'typebox'
import { ChangeEvent, Events, eventQuery } from '../public/event.js'
import { closed, Identifier, named } from '../schema.js'

/** The change feed over all accounts. */

const { state, ...event } = ChangeEvent.properties

export const AccountEvent = named('AccountEvent', { account: Identifier, ...event }, { state })
export type AccountEvent = Static<typeof AccountEvent>

export const AccountEvents = named('AccountEvents', { ...Events.properties, events: Type.Array(AccountEvent) })

export const AccountEventQuery = closed({}, { ...eventQuery, account: Identifier })
