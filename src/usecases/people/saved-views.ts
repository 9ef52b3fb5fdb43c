import { randomBytes } from 'node:crypto'
import { Refusal } from '../../contract/refusals.js'
import { deleteView, insertView, listViewRows, updateViewRow } from '../../store/saved-views.js'
import type { PortalHandler } from '../portal-context.js'

/** The searches that a person has saved; each use case is one statement of the store. */

const mostViews = { ofPerson: 100, ofAccount: 5000 }

export const listViews: PortalHandler<'listViews'> = async ({ db, account, person }) =>
  listViewRows(db, account, person.person_id)

export const createView: PortalHandler<'createView'> = async ({ db, account, person }, { body }) => {
  const view = { view_id: `view_${randomBytes(8).toString('hex')}`, ...body }
  if (!(await insertView(db, account, person.person_id, view, mostViews))) throw new Refusal('too_many_views')
  return view
}

export const updateView: PortalHandler<'updateView'> = async (
  { db, account, person },
  { params: { view_id }, body },
) => {
  const view = await updateViewRow(db, account, person.person_id, view_id, body)
  if (!view) throw new Refusal('view_not_found')
  return view
}

export const removeView: PortalHandler<'removeView'> = async ({ db, account, person }, { params: { view_id } }) => {
  if (!(await deleteView(db, account, person.person_id, view_id))) throw new Refusal('view_not_found')
  return { accepted: true }
}
