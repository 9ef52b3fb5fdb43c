import { isDateWithTime } from '../../contract/formats.js'
import { invalid } from '../../contract/refusals.js'
import { listLoggedRequests, type RequestCursor } from '../../store/requests.js'
import type { PortalHandler } from '../portal-context.js'

/** The requests that were made with the account's keys, the newest first. */
export const listRequests: PortalHandler<'listRequests'> = async (
  { db, account },
  { query: { key_id, outcome, after, take = 50 } },
) => {
  const cursor = after === undefined ? undefined : parseCursor(after)
  // One row more than requested shows whether there is a next page.
  const rows = await listLoggedRequests(db, account, { key_id, outcome, after: cursor, take: take + 1 })
  const requests = rows.slice(0, take)
  const last = requests.at(-1)
  return { requests, ...(rows.length > take && last && { next: formatCursor(last) }) }
}

function formatCursor({ at, request_id }: RequestCursor): string {
  return Buffer.from(`${at} ${request_id}`).toString('base64url')
}

const cursorForm = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z) (\w{1,100})$/

function parseCursor(text: string): RequestCursor {
  const [, at, request_id] = cursorForm.exec(Buffer.from(text, 'base64url').toString()) ?? []
  if (at === undefined || request_id === undefined || !isDateWithTime(at)) {
    throw invalid([{ pointer: '/after', detail: 'must be `next` of the page before' }])
  }
  return { at, request_id }
}
