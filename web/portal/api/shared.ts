import { readResponse } from '../../../src/client/response.js'
import type { SharedShipment } from '../../../src/contract/portal/shared-shipment.js'
import { timedFetch } from '../../ui/clock.js'

/** Requests of somebody with the link of a shared shipment: without a session, with the token of the link. */

const path = '/portal/v1/shared-shipment'

// What this page has already shown is refreshed, not viewed again.
const opened = new Set<string>()

export async function getSharedShipment(token: string, signal: AbortSignal): Promise<SharedShipment> {
  const query = opened.has(token) ? '?refresh=true' : ''
  const sent = timedFetch(path + query, { headers: { 'x-shared-link': token }, signal })
  const { data } = await readResponse(sent, signal)
  opened.add(token)
  return data as SharedShipment
}

/** Saves a document. The token is a header, so a plain link cannot do it. */
export async function saveSharedDocument(token: string, { id, name }: { id: string; name: string }): Promise<void> {
  const response = await timedFetch(`${path}/documents/${id}`, { headers: { 'x-shared-link': token } })
  if (!response.ok) await readResponse(Promise.resolve(response))
  const address = URL.createObjectURL(await response.blob())
  const anchor = document.createElement('a')
  anchor.href = address
  anchor.download = name
  anchor.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
