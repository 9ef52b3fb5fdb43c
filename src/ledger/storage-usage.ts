import type { Quotas } from '../contract/operator/quotas.js'
import { Refusal } from '../contract/refusals.js'
import type { AccountId } from '../database/account-id.js'
import type { Reader } from '../database/database.js'
import { limitOf } from '../domain/accounts/quotas.js'
import { countDocuments } from '../store/documents.js'

/** The content of a document or of a proposed one, and the bytes that it adds to the account. */
export type ContentUsage = { bytes: number; isNewDocument: boolean }

/** What a write stores, and the quotas of its account. Replaced and withdrawn content counts: history keeps it. */
export class StorageUsage {
  readonly #quotas: Quotas
  readonly #storedBefore: number
  #createsDocuments = false
  defaults: Quotas = {}
  addedBytes = 0

  constructor({ quotas, stored_bytes }: { quotas: Quotas; stored_bytes: number }) {
    this.#quotas = quotas
    this.#storedBefore = stored_bytes
  }

  add(versions: { record: string }[], contents: ContentUsage[]): void {
    for (const { record } of versions) this.addedBytes += Buffer.byteLength(record)
    for (const { bytes, isNewDocument } of contents) {
      this.addedBytes += bytes
      if (isNewDocument) this.#createsDocuments = true
    }
  }

  async refuseExcess(sql: Reader, account: AccountId): Promise<void> {
    const bytes = limitOf('stored_bytes', this.#quotas, this.defaults)
    if (bytes !== undefined && this.addedBytes > 0 && this.#storedBefore + this.addedBytes > bytes) {
      throw new Refusal('quota_exceeded', `The account may store ${bytes} bytes and has ${this.#storedBefore}.`)
    }
    const documents = limitOf('documents', this.#quotas, this.defaults)
    if (documents === undefined || !this.#createsDocuments) return
    if ((await countDocuments(sql, account)) > documents) {
      throw new Refusal('quota_exceeded', `The account may have ${documents} documents.`)
    }
  }
}
