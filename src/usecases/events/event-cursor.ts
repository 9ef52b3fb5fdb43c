import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import { cursorExpired } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { ServiceSecrets } from '../../database/service-secrets.js'

/**
 * Cursors are places in the change log. They are encrypted, as the last change that was read may be one that the account does
 * not see; and authenticated, with the account and database that they belong to.
 */

export type CursorOwner = { account: AccountId; secrets: ServiceSecrets }

const ivLength = 12
const tagLength = 16

/** The same place has the same cursor, so that responses can be compared. */
export function writeCursor(owner: CursorOwner, place: unknown): string {
  const { key, context } = keysOf(owner)
  const text = JSON.stringify(place)
  const iv = createHmac('sha256', key).update(context).update(text).digest().subarray(0, ivLength)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(context)
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

/** The place of a cursor; one of another account or database, or of none, is refused. */
export function readCursor(owner: CursorOwner, cursor: string): unknown {
  const { key, context } = keysOf(owner)
  const bytes = Buffer.from(cursor, 'base64url')
  if (bytes.length <= ivLength + tagLength) throw cursorExpired()
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivLength), { authTagLength: tagLength })
  decipher.setAAD(context).setAuthTag(bytes.subarray(-tagLength))
  try {
    const text = Buffer.concat([decipher.update(bytes.subarray(ivLength, -tagLength)), decipher.final()])
    return JSON.parse(text.toString()) as unknown
  } catch {
    throw cursorExpired()
  }
}

function keysOf({ account, secrets: { link_secret, epoch } }: CursorOwner) {
  const key = createHmac('sha256', link_secret).update('cursors of events').digest()
  return { key, context: Buffer.from(JSON.stringify([epoch, account])) }
}
