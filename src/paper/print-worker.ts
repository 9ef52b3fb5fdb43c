import { parentPort } from 'node:worker_threads'
import { type InvoicePaper, printInvoice } from './invoice-pdf.js'

/** The thread that lays out pages, and does nothing else. What fails here ends it, and is told to whoever waits. */

parentPort?.on('message', (paper: InvoicePaper) => void answer(paper))

async function answer(paper: InvoicePaper): Promise<void> {
  parentPort?.postMessage(await printInvoice(paper))
}
