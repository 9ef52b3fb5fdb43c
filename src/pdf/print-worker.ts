import { parentPort } from 'node:worker_threads'
import { type InvoiceDocument, printInvoice } from './invoice-pdf.js'

/** The worker thread that lays out PDFs. An error ends the thread and rejects the pending request. */

parentPort?.on('message', (document: InvoiceDocument) => void print(document))

async function print(document: InvoiceDocument): Promise<void> {
  parentPort?.postMessage(await printInvoice(document))
}
