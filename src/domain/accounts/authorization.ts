import { isApiKey, type KeyOwner, keyLength, ownerByPrefix, prefixes } from './api-key.js'

/**
 * The key of an `Authorization` header, or a sentence that explains its mistake. Only the format is checked, so the
 * sentence does not reveal which keys exist.
 */
export function readAuthorization(owner: KeyOwner, header: string): { key: string } | { mistake: string } {
  const [, scheme = '', given = ''] = /^(\S*)\s*(.*)$/s.exec(header.trim()) ?? []
  if (scheme === '') return { mistake: 'The Authorization header is empty; send Bearer and a key.' }
  if (ownerByPrefix(scheme)) return { mistake: 'The scheme is missing: send `Authorization: Bearer <key>`.' }
  if (scheme.toLowerCase() !== 'bearer') return { mistake: `The scheme is ${nameOf(scheme)}; send Bearer.` }
  if (given === '') return { mistake: 'There is no key after Bearer.' }
  if (/^["'`<]|["'`>]$/.test(given))
    return { mistake: 'There are quotes, brackets or spaces around the key; send the key alone.' }
  return isApiKey(owner, given) ? { key: given } : { mistake: mistakeIn(owner, given) }
}

function mistakeIn(owner: KeyOwner, key: string): string {
  const found = ownerByPrefix(key)
  if (found === undefined) return `This is not a key of Waybill: keys begin with ${prefixes[owner]}.`
  if (found !== owner) return found === 'operator' ? ofOperator : ofAccount
  if (key.length < keyLength(owner)) return 'The key is cut off: its checksum does not match.'
  return 'The key is mistyped: its checksum does not match.'
}

const ofOperator = "This is an operator's key; it works on /ops/v1."
const ofAccount = "This is a customer's key; it works on /v1."

// What the client sent is not repeated: it may be the key.
function nameOf(scheme: string): string {
  return schemes.find((each) => each.toLowerCase() === scheme.toLowerCase()) ?? 'not known'
}

const schemes = [
  'Basic',
  'Digest',
  'Negotiate',
  'Token',
  'ApiKey',
  'Api-Key',
  'Key',
  'JWT',
  'OAuth',
  'AWS4-HMAC-SHA256',
]
