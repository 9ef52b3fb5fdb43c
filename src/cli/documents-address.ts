import { fileURLToPath } from 'node:url'
import type { BucketAddress } from '../documents/document-bucket.js'

export type DocumentsAddress = { folder: string } | BucketAddress

export const documentsAddressForm =
  's3://ACCESS_KEY:SECRET@HOST[:PORT]/BUCKET[/PREFIX][?region=REGION&tls=off] with percent-encoded parts, or file:///FOLDER'

/** Parses the setting; returns undefined if it is not valid. */
export function findDocumentsAddress(text: string): DocumentsAddress | undefined {
  try {
    const url = new URL(text)
    if (url.hash) return undefined
    if (url.protocol === 's3:') return findBucket(url)
    return text.startsWith('file:///') && !url.search ? { folder: fileURLToPath(url) } : undefined
  } catch {
    // Whichever part is invalid, the error message shows the expected format.
    return undefined
  }
}

function findBucket(url: URL): BucketAddress | undefined {
  const [bucket = '', ...folders] = decodeURIComponent(url.pathname).replace(/\/$/, '').split('/').slice(1)
  const { region = 'us-east-1', tls = 'on', ...unknown } = Object.fromEntries(url.searchParams)
  const accessKey = decodeURIComponent(url.username)
  const secret = decodeURIComponent(url.password)
  const isGood =
    [accessKey, secret].every((part) => /^[\x21-\x7e]+$/.test(part)) &&
    /^[\w.-]{3,63}$/.test(bucket) &&
    folders.every(isPlainName) &&
    /^[\w-]+$/.test(region) &&
    ['on', 'off'].includes(tls) &&
    Object.keys(unknown).length === 0
  if (!isGood) return undefined
  const { origin } = new URL(`${tls === 'on' ? 'https' : 'http'}://${url.host}`)
  return { origin, bucket, prefix: folders.map((name) => `${name}/`).join(''), region, accessKey, secret }
}

// Dot segments would escape the bucket.
function isPlainName(name: string): boolean {
  return /^[\p{L}\p{N}\p{P}\p{S} ]+$/u.test(name) && name !== '.' && name !== '..'
}
