import { listPersonRows } from '../../store/people.js'
import type { PortalHandler } from '../portal-context.js'
import { personResponse } from './session-response.js'

export const listPeople: PortalHandler<'listPeople'> = async ({ db, account }) =>
  (await listPersonRows(db, account)).map(personResponse)
