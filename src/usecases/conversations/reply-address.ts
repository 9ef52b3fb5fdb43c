import { createHash, createHmac } from 'node:crypto'
import type { AccountId } from '../../database/account-id.js'
import type { ReplyAddress } from '../../store/reply-addresses.js'

/**
 * The address that a mail about a message is answered to: `reply+<account>-<token>@host`. The token is a MAC of account, conversation and
 * person, in lower case and short, since mail servers may change the case of an address and limit the part before the `@` to 64 characters.
 */

const tokenLength = 32

export function replyToken(secret: string, { account, subject, person_account, person_id }: ReplyAddress): string {
  const content = JSON.stringify([
    'waybill: replies by mail',
    account,
    subject.kind,
    subject.id,
    person_account,
    person_id,
  ])
  const mac = createHmac('sha256', secret).update(content).digest()
  // 160 bits, in letters and digits.
  const digits = BigInt(`0x${mac.subarray(0, 20).toString('hex')}`)
    .toString(36)
    .padStart(tokenLength, '0')
  return `${account.toString(36)}-${digits}`
}

/** By which it is stored. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

export function addressWith(replyAddress: string, token: string): string {
  const at = replyAddress.lastIndexOf('@')
  return `${replyAddress.slice(0, at)}+${token}${replyAddress.slice(at)}`
}

/** The tokens in the recipients of a mail. */
export function tokensIn(recipients: string[], replyAddress: string): { account: AccountId; token: string }[] {
  const at = replyAddress.lastIndexOf('@')
  const [before, host] = [`${replyAddress.slice(0, at)}+`.toLowerCase(), replyAddress.slice(at).toLowerCase()]
  const found = recipients.flatMap((each) => {
    const recipient = each.trim().toLowerCase()
    if (recipient.length > 320 || !recipient.startsWith(before) || !recipient.endsWith(host)) return []
    const token = recipient.slice(before.length, -host.length)
    const account = /^([\da-z]{1,6})-[\da-z]{20,40}$/.exec(token)?.[1]
    const number = account === undefined ? Number.NaN : Number.parseInt(account, 36)
    return number <= 2_147_483_647 ? [{ account: number, token }] : []
  })
  return [...new Map(found.map((each) => [each.token, each])).values()].slice(0, 10)
}
