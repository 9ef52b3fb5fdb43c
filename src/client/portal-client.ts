import type {
  PortalBody,
  PortalOperationName,
  PortalOperations,
  PortalParams,
  PortalQuery,
  PortalResponse,
} from '../contract/portal/operations.js'
import { interfaceOf, type Site } from '../contract/portal/sites.js'
import { addressOf, type Call, type ClientOptions, callsTo, type Given } from './client.js'
import { portalRoutes } from './portal-routes.js'
import { type CallResult, readResponse } from './response.js'

/** A typed client of the portal's interface. The browser sends the session cookie. */

type JsonName = {
  [Name in PortalOperationName]: PortalOperations[Name] extends { accepts: string } | { returns: string } ? never : Name
}[PortalOperationName]
type FileName = Exclude<
  {
    [Name in PortalOperationName]: PortalOperations[Name] extends { returns: string } ? Name : never
  }[PortalOperationName],
  never
>
type FormName = {
  [Name in PortalOperationName]: PortalOperations[Name] extends { accepts: 'form' } ? Name : never
}[PortalOperationName]

export type PortalClient = {
  [Name in JsonName]: Call<
    Given<'params', PortalParams<Name>> & Given<'body', PortalBody<Name>> & { query?: PortalQuery<Name> },
    PortalResponse<Name>
  >
}

/** At the office, only the operations for signing in, sessions and second factors exist. */
export function createPortalClient(options: ClientOptions, site: Site = 'portal'): PortalClient {
  const routes = Object.entries(portalRoutes).map(([name, { method, path }]) => [
    name,
    { method, path: path.replace(interfaceOf.portal, interfaceOf[site]) },
  ])
  // Operations without JSON exist at runtime but have no types: use `portalAddress` for files and streams.
  return callsTo(options, Object.fromEntries(routes) as typeof portalRoutes) as PortalClient
}

/** The URL of a file or an event stream. */
export function portalAddress<Name extends FileName>(
  name: Name,
  input: { params?: PortalParams<Name>; query?: PortalQuery<Name> } = {},
): string {
  return addressOf('', portalRoutes[name].path, input.params ?? {}, input.query ?? {})
}

/** Uploads a file as a form. */
export async function sendFileTo<Name extends FormName>(
  { baseUrl, fetch = globalThis.fetch }: ClientOptions,
  name: Name,
  file: File,
  query: Record<string, unknown> = {},
): Promise<CallResult<PortalResponse<Name>>> {
  const form = new FormData()
  form.set('file', file)
  const { path, method } = portalRoutes[name]
  const sent = fetch(addressOf(baseUrl, path, {}, query), { method, body: form })
  return readResponse(sent) as Promise<CallResult<PortalResponse<Name>>>
}
