import { isDateWithTime } from '../contract/formats.js'
import type { UsedKey } from '../contract/portal/keys.js'
import { invalid, Refusal } from '../contract/refusals.js'
import { keyOf, keyTerms } from '../operator/accounts.js'
import { issueKeyIn } from '../operator/keys.js'
import { listUsedKeys, revokeKey, type UsedKeyRow } from '../storage/keys.js'
import { listRequests, type RequestCursor } from '../storage/requests.js'
import { transaction } from '../storage/transaction.js'
import type { PortalHandlers } from './handlers.js'

export const keyHandlers: PortalHandlers<'listOwnKeys' | 'createOwnKey' | 'revokeOwnKey' | 'listRequests'> = {
  async listOwnKeys({ db, account }) {
    return (await listUsedKeys(db, account)).map(usedKeyOf)
  },

  async createOwnKey({ db, account, author }, { body }) {
    const terms = keyTerms(body)
    return transaction(db, account, author, (tx) => issueKeyIn(tx, account, terms))
  },

  async revokeOwnKey({ db, account, author }, { params: { key_id } }) {
    return transaction(db, account, author, async (tx) => {
      await revokeKey(tx, account, key_id)
      const key = (await listUsedKeys(tx.sql, account)).find((each) => each.key_id === key_id)
      if (!key) throw new Refusal('key_not_found')
      return usedKeyOf(key)
    })
  },

  async listRequests({ db, account }, { query: { key_id, outcome, after, take = 50 } }) {
    const behind = after === undefined ? undefined : cursorOf(after)
    // One more tells whether the list goes on.
    const rows = await listRequests(db, account, { key_id, outcome, behind, take: take + 1 })
    const requests = rows.slice(0, take)
    const last = requests.at(-1)
    return { requests, ...(rows.length > take && last && { next: textOf(last) }) }
  },
}

function usedKeyOf(row: UsedKeyRow): UsedKey {
  return { ...keyOf(row), ...(row.last_used_at && { last_used_at: row.last_used_at.toISOString() }) }
}

function textOf({ at, request_id }: RequestCursor): string {
  return Buffer.from(`${at} ${request_id}`).toString('base64url')
}

const cursorForm = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z) (\w{1,100})$/

function cursorOf(text: string): RequestCursor {
  const [, at, request_id] = cursorForm.exec(Buffer.from(text, 'base64url').toString()) ?? []
  if (at === undefined || request_id === undefined || !isDateWithTime(at)) {
    throw invalid([{ pointer: '/after', detail: 'must be `next` of the page before' }])
  }
  return { at, request_id }
}
