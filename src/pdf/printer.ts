import { hash } from 'node:crypto'
import { Refusal } from '../contract/refusals.js'
import { fairQueue } from '../jobs/fair-queue.js'
import { ThreadLimitReached, workerThread } from '../jobs/worker-thread.js'
import type { InvoiceDocument } from './invoice-pdf.js'
import type { StatementDocument } from './statement-pdf.js'

/**
 * Creates PDFs in a worker thread, one at a time: the layout of a long one takes seconds and would block the event loop. Time
 * and memory are limited, and accounts take turns.
 */
export type PrintLimits = {
  /** For one document, not counting the time in the queue. */
  milliseconds: number
  megabytes: number
  /** Documents of one account in the queue, including the one in progress. */
  documents: number
  /** Bytes of printed documents that are kept. */
  keptBytes: number
}

// Others wait while a document is printed. The longest takes up to 20 s on a machine that is busy.
export const defaultLimits: PrintLimits = {
  milliseconds: 30_000,
  megabytes: 512,
  documents: 20,
  keptBytes: 16 * 1024 * 1024,
}
const mostDocuments = 200

// The built file, in tests too: a worker thread cannot load TypeScript.
const workerPath = import.meta.url.endsWith('.ts') ? '../../dist/pdf/print-worker.js' : '../pdf/print-worker.js'

export type PrintedDocument = InvoiceDocument | StatementDocument

export type Print = (account: number, document: PrintedDocument) => Promise<Buffer>

export function startPrinter(given: Partial<PrintLimits> = {}): Print {
  const limits = { ...defaultLimits, ...given }
  const queue = fairQueue(
    { concurrency: 1, jobsPerOwner: limits.documents, jobs: mostDocuments },
    'Too many PDFs are being created; try again.',
  )
  const printInThread = workerThread<Uint8Array>(new URL(workerPath, import.meta.url), limits)
  const kept = new KeptPdfs(limits.keptBytes)

  async function print(document: PrintedDocument): Promise<Buffer> {
    try {
      const bytes = await printInThread(document)
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    } catch (error) {
      throw error instanceof ThreadLimitReached ? new Refusal('invoice_not_printable') : error
    }
  }

  return (account, document) => {
    // Everything that is printed, at this revision: other changes of the account do not print it again.
    const key = `${account} ${hash('sha256', JSON.stringify(document), 'base64url')}`
    return (
      kept.find(key) ??
      kept.add(
        key,
        queue.run(account, () => print(document)),
      )
    )
  }
}

/** Printed and pending PDFs; those that were not used for longest are dropped. Concurrent requests share a pending one. */
class KeptPdfs {
  readonly #maxBytes: number
  readonly #pdfs = new Map<string, { pdf: Promise<Buffer>; bytes: number }>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  find(key: string): Promise<Buffer> | undefined {
    const found = this.#pdfs.get(key)
    if (!found) return undefined
    this.#pdfs.delete(key)
    this.#pdfs.set(key, found)
    return found.pdf
  }

  add(key: string, pdf: Promise<Buffer>): Promise<Buffer> {
    const entry = { pdf, bytes: 0 }
    this.#pdfs.set(key, entry)
    pdf.then(
      ({ length }) => {
        entry.bytes = length
        this.#bytes += length
        this.#dropOldest()
      },
      () => this.#pdfs.delete(key),
    )
    return pdf
  }

  #dropOldest(): void {
    for (const [key, { bytes }] of this.#pdfs) {
      if (this.#bytes <= this.#maxBytes) return
      // A pending one has no bytes yet.
      if (bytes === 0) continue
      this.#pdfs.delete(key)
      this.#bytes -= bytes
    }
  }
}
