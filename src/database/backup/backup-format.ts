import { createHash, createHmac } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { closed } from '../../contract/schema.js'
import { validatorOf } from '../../contract/validation.js'

/**
 * The backup format: a `.tar.gz` with a manifest, then the document files, then the rows of all tables in COPY format, and
 * last a seal of everything before it. A file without the seal is incomplete.
 */
export const manifestName = 'waybill-backup.json'
export const sealName = 'waybill-backup-seal.json'

/** Increased when older versions can no longer read the format. */
export const backupFormat = 2

/** Format 1 contained this table, with the secret of document links. It is read, but not restored. */
export const tableOfFormat1 = 'service'

export const BackupManifest = closed({
  format: Type.Integer({ minimum: 1, maximum: backupFormat }),
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

/** The backup file is invalid or damaged. */
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
      `the backup has format ${value.format}, this version reads ${backupFormat}: use a newer Waybill`,
    )
  const [fault] = manifestValidator.faultsIn(value)
  if (fault) throw new BadBackup(`the backup manifest is not valid: ${fault.pointer} ${fault.detail}`)
  return value as BackupManifest
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new BadBackup('the backup manifest is not valid JSON', { cause: error })
  }
}

export function partName(table: string, part: number): string {
  return `tables/${table}/${String(part).padStart(6, '0')}.copy`
}

export function documentName(hash: string): string {
  return `documents/${hash}`
}

export type EntryTarget = { kind: 'part'; table: string } | { kind: 'document'; hash: string }

/** Returns undefined for a name that does not belong in a backup. */
export function targetOf(name: string): EntryTarget | undefined {
  const [, table, hash] = /^(?:tables\/([^/]+)\/\d{6,}\.copy|documents\/([0-9a-f]{64}))$/.exec(name) ?? []
  if (table !== undefined) return { kind: 'part', table }
  return hash === undefined ? undefined : { kind: 'document', hash }
}

/**
 * The seal: a digest of the name, size and bytes of every entry, in order. With a key it is a MAC, which proves who wrote the
 * backup; without, a checksum, which shows damage only.
 */
export function archiveSeal(key: string | undefined) {
  const [field, hash] =
    key === undefined ? ['sha256', createHash('sha256')] : ['hmac_sha256', createHmac('sha256', key)]
  let entries = 0
  return {
    addEntry(name: string, size: number): void {
      entries += 1
      hash.update(`${name}\n${size}\n`)
    },
    update(chunk: Buffer): void {
      hash.update(chunk)
    },
    text(): string {
      return `${JSON.stringify({ entries, [field]: hash.digest('hex') })}\n`
    },
  }
}

export function isSealedWithKey(seal: string): boolean {
  return seal.includes('"hmac_sha256"')
}

const newline = 0x0a

// COPY escapes newlines inside values, so every newline ends a row.
export function countRows(chunk: Buffer): number {
  let rows = 0
  for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) rows += 1
  return rows
}
