import { createHash } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { closed } from '../contract/schema.js'
import { validatorOf } from '../contract/validation.js'

/**
 * What a backup is: a `.tar.gz` with a description first, then the bytes of documents, then the rows of all tables as
 * COPY writes them, and last a seal over all that came before it: without it the file is not whole.
 */
export const manifestName = 'waybill-backup.json'
export const sealName = 'waybill-backup-seal.json'

/** Raised when an older program could no longer read what a newer one writes. */
export const backupFormat = 1

export const BackupManifest = closed({
  format: Type.Literal(backupFormat),
  schema_version: Type.Integer({ minimum: 1 }),
  created_at: Type.String(),
  tables: Type.Array(
    closed({
      name: Type.String({ minLength: 1 }),
      columns: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
      rows: Type.Integer({ minimum: 0 }),
    }),
  ),
  documents: Type.Integer({ minimum: 0 }),
})
export type BackupManifest = Static<typeof BackupManifest>

const manifestValidator = validatorOf(BackupManifest)

/** The file is at fault, not the database. */
export class BadBackup extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'BadBackup'
  }
}

export function manifestIn(text: string): BackupManifest {
  const value = parsed(text) as { format?: unknown } | null
  if (typeof value?.format === 'number' && value.format > backupFormat)
    throw new BadBackup(
      `the backup has format ${value.format}, this program knows ${backupFormat}: run a newer Waybill`,
    )
  const [fault] = manifestValidator.faultsIn(value)
  if (fault) throw new BadBackup(`the description of the backup is not valid: ${fault.pointer} ${fault.detail}`)
  return value as BackupManifest
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new BadBackup('the description of the backup is not valid JSON', { cause: error })
  }
}

export function partName(table: string, part: number): string {
  return `tables/${table}/${String(part).padStart(6, '0')}.copy`
}

export function documentName(hash: string): string {
  return `documents/${hash}`
}

export type EntryPlace = { kind: 'part'; table: string } | { kind: 'document'; hash: string }

/** Undefined for a name that no backup holds. */
export function placeOf(name: string): EntryPlace | undefined {
  const [, table, hash] = /^(?:tables\/([^/]+)\/\d{6,}\.copy|documents\/([0-9a-f]{64}))$/.exec(name) ?? []
  if (table !== undefined) return { kind: 'part', table }
  return hash === undefined ? undefined : { kind: 'document', hash }
}

/** Covers the name, size and bytes of every entry, in their order. */
export function sealing() {
  const hash = createHash('sha256')
  let entries = 0
  return {
    begin(name: string, size: number): void {
      entries += 1
      hash.update(`${name}\n${size}\n`)
    },
    cover(chunk: Buffer): void {
      hash.update(chunk)
    },
    close(): string {
      return `${JSON.stringify({ entries, sha256: hash.digest('hex') })}\n`
    },
  }
}

const newline = 0x0a

// COPY escapes the line ends inside of values: each that is left ends a row.
export function countRows(chunk: Buffer): number {
  let rows = 0
  for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) rows += 1
  return rows
}
