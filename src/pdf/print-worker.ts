import { parentPort } from 'node:worker_threads'
import { printInvoice } from './invoice-pdf.js'
import type { PrintedDocument } from './printer.js'
import { printStatement } from './statement-pdf.js'

/** The worker thread that lays out PDFs. An error ends the thread and rejects the pending request. */

parentPort?.on('message', (document: PrintedDocument) => void print(document))

async function print(document: PrintedDocument): Promise<void> {
  parentPort?.postMessage(await ('statement' in document ? printStatement(document) : printInvoice(document)))
}
