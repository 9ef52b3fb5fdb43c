import { Type } from 'typebox'
import { closed, Identifier } from '../schema.js'
import type { PortalOperation } from './operation.js'
import { Accepted } from './people.js'
import { View, ViewCreate, ViewUpdate } from './views.js'

/** Saved views of the signed-in person, at the portal and at the office. */
export const viewOperations = {
  listViews: {
    method: 'GET',
    path: '/portal/v1/views',
    tag: 'Views',
    access: 'read',
    summary: 'List the saved views of the signed-in user, by name',
    success: { status: 200, body: Type.Array(View) },
    refusals: [],
  },
  createView: {
    method: 'POST',
    path: '/portal/v1/views',
    tag: 'Views',
    access: 'read',
    summary: 'Save a view',
    body: ViewCreate,
    success: { status: 201, body: View },
    refusals: ['too_many_views'],
  },
  updateView: {
    method: 'PATCH',
    path: '/portal/v1/views/{view_id}',
    tag: 'Views',
    access: 'read',
    summary: 'Rename a view, or change its search',
    params: closed({ view_id: Identifier }),
    body: ViewUpdate,
    success: { status: 200, body: View },
    refusals: ['view_not_found'],
  },
  removeView: {
    method: 'DELETE',
    path: '/portal/v1/views/{view_id}',
    tag: 'Views',
    access: 'read',
    summary: 'Remove a view',
    params: closed({ view_id: Identifier }),
    success: { status: 200, body: Accepted },
    refusals: ['view_not_found'],
  },
} as const satisfies Record<string, PortalOperation>
