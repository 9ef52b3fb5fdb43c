import type {
  PortalAnswer,
  PortalBody,
  PortalOperationName,
  PortalOperations,
  PortalParams,
  PortalQuery,
} from '../contract/portal/operations.js'
import { addressOf, answerOf, type ClientOptions, sendTo } from './client.js'
import { portalRoutes, type Route } from './routes.js'

/** A typed client of the portal's interface, made from its operations table. The session comes with the browser's cookie. */

type JsonName = {
  [Name in PortalOperationName]: PortalOperations[Name] extends { accepts: string } | { answers: string } ? never : Name
}[PortalOperationName]
type FileName = Exclude<
  {
    [Name in PortalOperationName]: PortalOperations[Name] extends { answers: string } ? Name : never
  }[PortalOperationName],
  never
>
type FormName = {
  [Name in PortalOperationName]: PortalOperations[Name] extends { accepts: 'form' } ? Name : never
}[PortalOperationName]

type Given<Name extends string, Value> = [Value] extends [undefined] ? object : { [Key in Name]: Value }

export type PortalClientInput<Name extends PortalOperationName> = Given<'params', PortalParams<Name>> &
  Given<'body', PortalBody<Name>> & { query?: PortalQuery<Name>; signal?: AbortSignal }

type Optionally<Input> = Partial<Input> extends Input ? [input?: Input] : [input: Input]

export type PortalClient = {
  [Name in JsonName]: (...input: Optionally<PortalClientInput<Name>>) => Promise<PortalAnswer<Name>>
}

export function createPortalClient(options: ClientOptions): PortalClient {
  const callTo = (route: Route) => async (input?: object) => answerOf(await sendTo(options, route, input))
  // Those that are not JSON both ways are there as well, but have no types: files and streams have an address instead.
  return Object.fromEntries(Object.entries(portalRoutes).map(([name, route]) => [name, callTo(route)])) as PortalClient
}

/** Where a file, or a stream of events, is found: for a link, or for whoever opens it. */
export function portalAddress<Name extends FileName>(
  name: Name,
  input: { params?: PortalParams<Name>; query?: PortalQuery<Name> } = {},
): string {
  return addressOf('', portalRoutes[name].path, input.params ?? {}, input.query ?? {})
}

/** Sends a file with a form. */
export async function sendFileTo<Name extends FormName>(
  { baseUrl, fetch = globalThis.fetch }: ClientOptions,
  name: Name,
  file: File,
): Promise<PortalAnswer<Name>> {
  const form = new FormData()
  form.set('file', file)
  const { path, method } = portalRoutes[name]
  return (await answerOf(await fetch(addressOf(baseUrl, path), { method, body: form }))) as PortalAnswer<Name>
}
