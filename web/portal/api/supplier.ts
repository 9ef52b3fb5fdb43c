import { readResponse } from '../../../src/client/response.js'
import type { SupplierUpload } from '../../../src/contract/portal/supplier-links.js'
import type { DocumentType } from '../../../src/contract/public/document-types.js'
import { timedFetch } from '../../ui/clock.js'

/** Requests of a supplier: without a session, with the token of the link. */

const path = '/portal/v1/supplier-upload'

export async function getSupplierUpload(token: string, signal: AbortSignal): Promise<SupplierUpload> {
  const sent = timedFetch(path, { headers: { 'x-supplier-link': token }, signal })
  return (await readResponse(sent)).data as SupplierUpload
}

export async function sendSupplierFile(
  token: string,
  file: File,
  type: DocumentType | undefined,
): Promise<SupplierUpload> {
  const body = new FormData()
  if (type !== undefined) body.set('type', type)
  body.set('file', file)
  const sent = timedFetch(path, { method: 'POST', headers: { 'x-supplier-link': token }, body })
  return (await readResponse(sent)).data as SupplierUpload
}
