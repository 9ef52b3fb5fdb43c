import type { IncomingMessage } from 'node:http'

export const jsonMediaType = 'application/json; charset=utf-8'

/** Only the client may cache, and must revalidate; responses exist in plain and compressed form. */
export const validatedHeaders = { 'cache-control': 'private, no-cache', vary: 'accept-encoding' }

const plausibleHost = /^[\w.:[\]-]+$/

/** The base URL for links to this service. */
export function baseUrl({ publicUrl }: { publicUrl: string | undefined }, request: IncomingMessage): string {
  if (publicUrl !== undefined) return publicUrl
  const { host } = request.headers
  if (host !== undefined && plausibleHost.test(host)) return `http://${host}`
  return `http://${request.socket.localAddress}:${request.socket.localPort}`
}
