import { getDocumentProxy } from 'unpdf'
import { serveJobs } from '../jobs/process-jobs.js'
import type { PdfPart } from './pdf-text.js'

/** The program of a process that reads the text of PDFs. */

// Numbers are on the first pages; the rest are terms and conditions.
const mostPages = 10
const longestPage = 20_000

serveJobs(async (given, send: (part: PdfPart) => void) => {
  const data = new Uint8Array((given as { content: Uint8Array }).content)
  try {
    const pdf = await getDocumentProxy(data, { isEvalSupported: false, disableFontFace: true, verbosity: 0 })
    try {
      for (let number = 1; number <= Math.min(pdf.numPages, mostPages); number += 1) {
        const page = await pdf.getPage(number)
        const { items } = await page.getTextContent()
        send({ page: textOf(items) })
        page.cleanup()
      }
    } finally {
      await pdf.destroy()
    }
  } catch {
    // Damaged, or with a password.
    send({ isUnreadable: true })
  }
})

function textOf(items: object[]): string {
  let text = ''
  for (const item of items) {
    if (text.length > longestPage) break
    // The others mark the structure of the page.
    if ('str' in item) text += `${String(item.str)}${'hasEOL' in item && item.hasEOL === true ? '\n' : ''}`
  }
  return text.slice(0, longestPage)
}
