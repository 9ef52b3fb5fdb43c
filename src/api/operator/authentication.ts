import type { IncomingMessage } from 'node:http'
import type { OperatorRole } from '../../contract/operator/accounts.js'
import type { OperatorOperation } from '../../contract/operator/operation.js'
import { mayDo, rights } from '../../contract/operator/rights.js'
import { Refusal } from '../../contract/refusals.js'
import { findOperatorByKey, type OperatorPrincipal } from '../../store/operators.js'
import type { OpenSession } from '../../store/sessions.js'
import { keyIn, unknownKey } from '../authentication/authentication.js'
import { authenticateSession, refuseForgery, siteAddress } from '../portal/session-cookie.js'
import type { Service } from '../service.js'

/** A system with a key, or a person with a session of the office. */
export type AuthenticatedOperator = {
  operator: OperatorPrincipal
  /** The key or the session's token. */
  credential: string
  session?: OpenSession
}

/** By `Authorization: Bearer wb_op_...`, or by the session cookie of the office. Customers' keys are refused. */
export async function authenticateOperator(
  service: Service,
  request: IncomingMessage,
  { method }: OperatorOperation,
): Promise<AuthenticatedOperator> {
  const { authorization } = request.headers
  if (authorization !== undefined) {
    const credential = keyIn('operator', authorization)
    const operator = await findOperatorByKey(service.db, credential)
    if (!operator) throw new Refusal('invalid_key', unknownKey)
    return { operator, credential }
  }
  const address = siteAddress(service, 'office')
  const authenticated = await authenticateSession(service.db, address, request)
  if (!authenticated) throw new Refusal('missing_key')
  const { session, token } = authenticated
  if (method !== 'GET') refuseForgery(request, token, address.url)
  return { operator: operatorOf(session), credential: token, session }
}

function operatorOf({ person, caller, scope }: OpenSession): OperatorPrincipal {
  return {
    operator_id: person.person_id,
    name: person.name,
    role: person.role as OperatorRole,
    accounts: scope,
    expires_at: null,
    ...caller.secrets,
  }
}

export function refuseWithoutRight({ operator, session }: AuthenticatedOperator, operation: OperatorOperation): void {
  const { role } = operator
  const { right } = operation
  if (!mayDo(role, right)) {
    throw new Refusal(
      'insufficient_role',
      `The role \`${role}\` may not do this; these may: ${rights[right].join(', ')}.`,
    )
  }
  if (operation.covers === 'all_accounts' && operator.accounts !== 'all') throw new Refusal('limited_to_accounts')
  if (session?.mustEnrol) throw new Refusal('enrolment_required')
  if (session && !session.isRecentlyAuthenticated && operation.requiresReauthentication) {
    throw new Refusal('reauthentication_required')
  }
}
