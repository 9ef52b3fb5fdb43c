import { fairQueue } from '../jobs/fair-queue.js'
import { limitedProcess, ProcessLimitReached } from '../jobs/limited-process.js'

/** Reads mails in child processes with limits: anybody can send them, and their contents may take any time and memory to parse. */

export type MailHead = {
  headers: { key: string; value: string }[]
  from: string[]
  /** Recipients, those of the envelope first. */
  to: string[]
  messageId: string | undefined
  /** What the sender wrote: without what is quoted. */
  text: string
}
export type MailAttachment = { name: string; content: Buffer }
export type MailPart = { head: MailHead } | { attachment: MailAttachment }
export type ReadMail = MailHead & { attachments: MailAttachment[] }

const megabytes = 512
// Of processor time. A mail of 25 MiB takes a third of a second.
const milliseconds = 5000

// The built file, in tests too: a child process cannot load TypeScript.
const place = import.meta.url.endsWith('.ts') ? '../../dist/mail/mail-jobs.js' : '../mail/mail-jobs.js'
const run = limitedProcess<{ content: Buffer }, MailPart>(new URL(place, import.meta.url), megabytes)

// Each waiting mail holds its bytes in memory.
const queue = fairQueue({ concurrency: 1, jobsPerOwner: 5, jobs: 5 }, 'Many mails are being read; try again.')

/** Undefined if it cannot be read. Refused while too many wait. */
export async function readMail(content: Buffer): Promise<ReadMail | undefined> {
  let head: MailHead | undefined
  const attachments: MailAttachment[] = []
  function onPart(part: MailPart): void {
    if ('head' in part) head = part.head
    else attachments.push({ name: part.attachment.name, content: Buffer.from(part.attachment.content) })
  }
  try {
    await queue.run('mail', () => run({ content }, { milliseconds, onPart }))
  } catch (error) {
    // Whatever it contained, the process has ended with it.
    if (error instanceof ProcessLimitReached) return undefined
    throw error
  }
  return head && { ...head, attachments }
}
