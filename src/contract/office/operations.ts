import type { Static, TSchema } from 'typebox'
import { operatorRoles } from '../operator/accounts.js'
import { rights } from '../operator/rights.js'
import { factorOperations } from '../portal/factor-operations.js'
import type { PortalOperation } from '../portal/operation.js'
import { Person, Session, SessionMaybe } from '../portal/people.js'
import { type PortalRight, portalRights } from '../portal/rights.js'
import { signInOperations } from '../portal/sign-in-operations.js'
import { interfaceOf, type Site } from '../portal/sites.js'
import { viewOperations } from '../portal/view-operations.js'
import { closed, named, oneOf } from '../schema.js'

/**
 * Operators sign in at the office, and save views, with the operations of the portal: the same input, refusals and use cases under
 * paths of their own. Only sessions differ: they have the roles of operators, and no account.
 */

const OperatorPerson = named('OperatorPerson', { ...Person.properties, role: oneOf(operatorRoles) })

const { viewer: _viewer, ...sessionFields } = Session.properties

const OfficeSession = named('OfficeSession', {
  ...sessionFields,
  person: OperatorPerson,
  account: closed({ name: Session.properties.account.properties.name }),
})
export type OfficeSession = Static<typeof OfficeSession>

const responses = new Map<TSchema, TSchema>([
  [Session, OfficeSession],
  [SessionMaybe, named('OfficeSessionMaybe', {}, { session: OfficeSession })],
])

// Nobody signs in here without a password, or sees what another operator sees.
const { signInToDemo: _demo, openViewing: _viewing, ...signIn } = signInOperations
const { removeFactors: _factors, ...factors } = factorOperations
const shared = { ...signIn, ...factors, ...viewOperations }

export type OfficeOperationName = keyof typeof shared
export const officeOperationNames = Object.keys(shared) as OfficeOperationName[]

export const officeOperations = Object.fromEntries(
  officeOperationNames.map((name) => [name, atOffice(shared[name])]),
) as Record<OfficeOperationName, PortalOperation>

function atOffice(operation: PortalOperation): PortalOperation {
  const { path, success } = operation
  return {
    ...operation,
    path: path.replace(interfaceOf.portal, interfaceOf.office),
    success: { ...success, body: responses.get(success.body) ?? success.body },
  }
}

/** The roles that may call an operation of a site: all operators, or the admins among them. */
export function rolesFor(site: Site, access: PortalRight): readonly string[] {
  if (site === 'portal') return portalRights[access]
  return access === 'read' ? rights.read : rights.administer
}
