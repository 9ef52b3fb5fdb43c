import type { Readable } from 'node:stream'

/**
 * The bytes of documents, named by the hash of their content, wherever they lie. What is taken in waits apart until
 * it is kept, so that what comes to nothing leaves nothing behind.
 */
export type DocumentFiles = {
  takeIn(): Intake
  open(hash: string): Promise<{ size: number; stream: Readable } | undefined>
  /** How many bytes there are of it, without opening it. */
  sizeOf(hash: string): Promise<number | undefined>
  /** Rejects where documents could not be taken in and read right now. */
  probe(): Promise<void>
}

/** `path`: the file that the bytes wait in until they are accepted, for those who look into it. */
export type StoredContent = { hash: string; size: number; path: string }

/** The bytes of one undertaking. */
export type Intake = {
  add(content: Buffer | Readable): Promise<StoredContent>
  /** Marks what is to stay. */
  accept(hash: string): Promise<void>
  /** Does ahead what takes long of keeping what was accepted, for those whose transaction would hold others up. */
  prepareAccepted(): Promise<void>
  /** Makes all that was accepted stay; to be called before the transaction that refers to it ends. */
  keepAccepted(): Promise<void>
  /** Forgets the rest, prepared or not. */
  discard(): Promise<void>
}
