import { fairQueue } from '../jobs/fair-queue.js'
import { limitedProcess, ProcessLimitReached } from '../jobs/limited-process.js'

/** Reads the text of PDFs in a child process with limits: their contents may take any time and memory to parse. */

export type PdfPart = { page: string } | { isUnreadable: true }

const megabytes = 192
// Of processor time. Ten pages take a tenth of that, and starting the process a fifth.
const milliseconds = 3000

// The built file, in tests too: a child process cannot load TypeScript.
const place = import.meta.url.endsWith('.ts') ? '../../dist/pdf/pdf-text-jobs.js' : '../pdf/pdf-text-jobs.js'
const run = limitedProcess<{ content: Buffer }, PdfPart>(new URL(place, import.meta.url), megabytes)

// Each waiting file holds its bytes in memory: 8 MiB at most.
const queue = fairQueue({ concurrency: 1, jobsPerOwner: 4, jobs: 8 }, 'Many documents are being read; try again.')

/** The text of each page, of the first ones; undefined if it cannot be read. Refused while too many wait. */
export async function readPdfText(content: Buffer, owner: string): Promise<string[] | undefined> {
  const pages: string[] = []
  let isUnreadable = false
  function onPart(part: PdfPart): void {
    if ('page' in part) pages.push(part.page)
    else isUnreadable = true
  }
  try {
    await queue.run(owner, () => run({ content }, { milliseconds, onPart }))
  } catch (error) {
    if (!(error instanceof ProcessLimitReached)) throw error
    isUnreadable = true
  }
  // What was read before a failure is still true.
  return isUnreadable && pages.length === 0 ? undefined : pages
}
