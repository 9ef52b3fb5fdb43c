import type { Readable } from 'node:stream'

/**
 * Storage of document contents, named by their hash. New contents are staged in an intake until they are kept, so that a
 * failed request leaves nothing behind.
 */
export type DocumentFiles = {
  createIntake(): Intake
  open(hash: string): Promise<{ size: number; stream: Readable } | undefined>
  /** The size of a content; undefined if it is missing. */
  sizeOf(hash: string): Promise<number | undefined>
  /** Rejects if documents cannot be stored and read. */
  probe(): Promise<void>
}

/** `path`: the staged file, until it is accepted. */
export type StoredContent = { hash: string; size: number; path: string }

/** The staged contents of one request or import. */
export type Intake = {
  add(content: Buffer | Readable): Promise<StoredContent>
  /** Marks a content to be kept. */
  accept(hash: string): Promise<void>
  /** Does the slow part of keeping the accepted contents, before a lock is taken. */
  prepareAccepted(): Promise<void>
  /** Stores the accepted contents; to be called before the transaction that refers to them commits. */
  keepAccepted(): Promise<void>
  /** Removes everything that was not kept. */
  discard(): Promise<void>
}
