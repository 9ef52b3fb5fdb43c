import PostalMime, { type Address } from 'postal-mime'
import { replyText, textOfHtml } from '../domain/conversations/reply-text.js'
import { serveJobs } from '../jobs/process-jobs.js'
import type { MailPart } from './read-mail.js'

/** The program of a process that reads mails. */

// Far above what mail programs send; the rest is left out.
const mostHeaders = 500
const longestText = 200_000
const mostAttachments = 50

serveJobs(async (given, send: (part: MailPart) => void) => {
  const content = Buffer.from((given as { content: Uint8Array }).content)
  const limits = { maxNestingDepth: 20, maxHeadersSize: 256 * 1024, rfc822Attachments: true }
  // The parser rejects what exceeds its limits; without a head the mail is refused.
  const mail = await PostalMime.parse(content, limits).catch(() => undefined)
  if (!mail) return
  const headers = mail.headers.slice(0, mostHeaders).map(({ key, value }) => ({ key, value: value.slice(0, 2000) }))
  const from = mail.from ? addressesOf([mail.from]) : []
  const delivered = headers
    .filter(({ key }) => /^(?:delivered-to|x-original-to|envelope-to|x-envelope-to)$/.test(key))
    .map(({ value }) => value.replaceAll(/[<>\s]/g, ''))
  send({
    head: {
      headers,
      from,
      to: [...delivered, ...addressesOf([...(mail.to ?? []), ...(mail.cc ?? [])])].slice(0, 200),
      messageId: mail.messageId?.slice(0, 2000),
      text: textOf(mail),
    },
  })
  for (const { filename, disposition, contentId, related, content: bytes } of mail.attachments.slice(
    0,
    mostAttachments,
  )) {
    // Pictures of signatures, and of the mail that is answered.
    if (disposition !== 'attachment' && (related || contentId !== undefined)) continue
    send({ attachment: { name: filename ?? '', content: Buffer.from(bytes as Uint8Array) } })
  }
})

function textOf({ text = '', html = '' }: { text?: string; html?: string }): string {
  return replyText(text.slice(0, longestText)) || replyText(textOfHtml(html.slice(0, longestText)))
}

function addressesOf(all: Address[]): string[] {
  return all.slice(0, 200).flatMap((each) => (each.group ? each.group.map(({ address }) => address) : [each.address]))
}
