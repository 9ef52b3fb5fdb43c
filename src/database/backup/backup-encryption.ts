import { Readable } from 'node:stream'
import { Decrypter, Encrypter, identityToRecipient } from 'age-encryption'
import { BadBackup } from './backup-format.js'

/** Encrypts and decrypts backups in the format of age (age-encryption.org), which its own tools read too. */

type Chunks = AsyncIterable<Uint8Array>
type Transform = (source: Chunks) => AsyncIterable<Uint8Array>

const header = 'age-encryption.org/'

/** A stage of a pipeline; without recipients the bytes pass unchanged. */
export function encrypting(recipients: string[]): Transform {
  return async function* (source) {
    if (recipients.length === 0) return yield* source
    const encrypter = new Encrypter()
    for (const recipient of recipients) encrypter.addRecipient(recipient)
    yield* (await encrypter.encrypt(webStreamOf(source))) as unknown as Chunks
  }
}

/** A stage of a pipeline; bytes that are not encrypted pass unchanged. */
export function decrypting(identities: string[]): Transform {
  return async function* (source) {
    const { isEncrypted, chunks } = await peek(source)
    if (!isEncrypted) return yield* chunks
    if (identities.length === 0) {
      throw new BadBackup('the backup is encrypted: give the file of your age identity with --identity')
    }
    const decrypter = new Decrypter()
    for (const identity of identities) decrypter.addIdentity(identity)
    const decrypted = await decrypter.decrypt(webStreamOf(chunks)).catch((error: unknown) => {
      throw new BadBackup('the backup is encrypted for others: no identity decrypts it', { cause: error })
    })
    yield* decrypted as unknown as Chunks
  }
}

async function peek(source: Chunks): Promise<{ isEncrypted: boolean; chunks: Chunks }> {
  const iterator = source[Symbol.asyncIterator]()
  const first = await iterator.next()
  const start = first.done ? new Uint8Array() : first.value
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield start
    yield* { [Symbol.asyncIterator]: () => iterator }
  }
  return { isEncrypted: Buffer.from(start.subarray(0, header.length)).toString() === header, chunks: chunks() }
}

function webStreamOf(source: Chunks): ReadableStream<Uint8Array> {
  return Readable.toWeb(Readable.from(source, { objectMode: false })) as never
}

/** Whether it is the public key of an age identity. */
export function isRecipient(text: string): boolean {
  try {
    new Encrypter().addRecipient(text)
    return true
  } catch {
    return false
  }
}

/** The identities in a file as `age-keygen` writes it; undefined if it has none or an invalid one. */
export async function identitiesIn(text: string): Promise<string[] | undefined> {
  const lines = text.split('\n').map((line) => line.trim())
  const identities = lines.filter((line) => line !== '' && !line.startsWith('#'))
  const areValid = await Promise.all(identities.map((identity) => identityToRecipient(identity))).then(
    () => true,
    () => false,
  )
  return areValid && identities.length > 0 ? identities : undefined
}
