import type { PortalHandler } from '../portal-context.js'
import { sessionResponse } from './session-response.js'

export const getSession: PortalHandler<'getSession'> = async ({ session, token }) => sessionResponse(session, token)

/** The same without a refusal if nobody is signed in. */
export const findCurrentSession: PortalHandler<'findSession'> = async ({ authenticated }) =>
  authenticated ? { session: sessionResponse(authenticated.session, authenticated.token) } : {}
