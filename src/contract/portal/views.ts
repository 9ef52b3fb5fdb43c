import { type Static, Type } from 'typebox'
import { Identifier, named, oneOf } from '../schema.js'

/** A saved search. */
const page = oneOf(['shipments', 'purchase_orders', 'invoices', 'documents', 'work'])
const name = Type.String({ minLength: 1, maxLength: 100 })
const query = Type.String({ maxLength: 2000, description: 'The query string of the page.' })

export const View = named('View', { view_id: Identifier, page, name, query })
export type View = Static<typeof View>
export const ViewCreate = named('ViewCreate', { page, name, query })
export const ViewUpdate = named('ViewUpdate', {}, { name, query })
