import { randomBytes } from 'node:crypto'
import { Refusal } from '../contract/refusals.js'
import { createView, listViews, removeView, updateView } from '../storage/saved-views.js'
import type { PortalHandlers } from './handlers.js'

export const viewHandlers: PortalHandlers<'listViews' | 'createView' | 'updateView' | 'removeView'> = {
  async listViews({ db, account, person }) {
    return listViews(db, account, person.person_id)
  },

  async createView({ db, account, person }, { body }) {
    const view = { view_id: `view_${randomBytes(8).toString('hex')}`, ...body }
    await createView(db, account, person.person_id, view)
    return view
  },

  async updateView({ db, account, person }, { params: { view_id }, body }) {
    const view = await updateView(db, account, person.person_id, view_id, body)
    if (!view) throw new Refusal('view_not_found')
    return view
  },

  async removeView({ db, account, person }, { params: { view_id } }) {
    if (!(await removeView(db, account, person.person_id, view_id))) throw new Refusal('view_not_found')
    return { accepted: true }
  },
}
