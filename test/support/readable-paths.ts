import type { RunningService } from './service.js'

/** Every path that an account can read. */
export async function readablePaths(service: RunningService, key: string): Promise<string[]> {
  const list = async (path: string) => {
    const { status, text } = await comparableResponse(service, path, key)
    return status === 200 ? (JSON.parse(text) as Record<string, string>[]) : []
  }
  const paths = ['/v1/purchaseOrders', '/v1/locations', '/v1/invoices', '/v1/documents', '/v1/shipments?take=100']
  paths.push('/v1/inbound?delivered=any&take=1000', '/v1/messages?take=100', '/v1/documentProposals', '/v1/exceptions')
  for (let skip = 100; (await list(`/v1/shipments?take=100&skip=${skip}`)).length > 0; skip += 100) {
    paths.push(`/v1/shipments?take=100&skip=${skip}`)
  }
  for (const path of paths.filter((each) => each.startsWith('/v1/shipments'))) {
    for (const { svc_shipment_id } of await list(path)) {
      const id = encodeURIComponent(svc_shipment_id as string)
      paths.push(`/v1/shipments/${id}`, `/v1/tracking/${id}`)
    }
  }
  for (const { po_number } of await list('/v1/purchaseOrders')) {
    paths.push(`/v1/purchaseOrders/${encodeURIComponent(po_number as string)}`)
  }
  for (const { reference } of await list('/v1/invoices')) {
    paths.push(`/v1/invoices/${encodeURIComponent(reference as string)}`)
  }
  for (const { id } of await list('/v1/locations')) paths.push(`/v1/locations/${id}`)
  return paths
}

/** A response without signatures of links and without the request id, which always differ. */
export async function comparableResponse(
  service: RunningService,
  path: string,
  key: string,
): Promise<{ status: number; text: string }> {
  const response = await fetch(service.baseUrl + path, { headers: { authorization: `Bearer ${key}` } })
  const text = await response.text()
  const same = text.replaceAll(/"link":"[^"]+"/g, '"link":""').replaceAll(/req_\w+/g, 'req')
  return { status: response.status, text: same }
}
