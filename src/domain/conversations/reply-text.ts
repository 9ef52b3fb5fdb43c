/** What somebody wrote in a mail, without what their mail program added. */

/** Stands above what is quoted of our own mails. */
export const replyMarkers = { en: '--- Reply above this line ---', fr: '--- Répondez au-dessus de cette ligne ---' }

// Each test looks at one line of bounded length: nothing here takes longer than the text is long.
const longestLine = 1000

// What precedes a quotation, in one line.
const introductions = [
  /^(?:on|am|le|el|il|op|den|em)\b.{4,300}\b(?:wrote|schrieb|a écrit|escribió|ha scritto|schreef|skrev|escreveu)\b.{0,100}:$/i,
  /^.{1,300}\b(?:wrote|schrieb|a écrit)\s?:$/i,
  /^-{2,}\s?(?:original message|message d'origine|ursprüngliche nachricht|forwarded message|message transféré)\s?-{2,}$/i,
  /^_{20,}$/,
]
const signatures = [
  /^-- ?$/,
  /^(?:sent from my|envoyé de(?:puis)? mon|von meinem .{1,40} gesendet|get outlook for|obtenez outlook pour|télécharger outlook)\b/i,
]
const headerOfQuote = /^\*?(?:from|de|von)\s?:\*?\s.{1,300}$/i
const secondHeader = /^\*?(?:sent|date|envoyé|gesendet|to|à|an|subject|objet|betreff)\s?:\*?\s/i

export function replyText(mail: string): string {
  const lines = mail.replaceAll(/\r\n?/g, '\n').split('\n')
  const end = lines.findIndex((line, index) => endsAt(lines, line, index))
  const own = (end < 0 ? lines : lines.slice(0, end)).map((line) => line.replaceAll('\u00a0', ' ').trimEnd())
  // A quotation at the end, of which nothing says that it is one.
  while (own.length > 0 && (own.at(-1) === '' || own.at(-1)?.startsWith('>'))) own.pop()
  const first = own.findIndex((line) => line !== '')
  return withoutControls(own.slice(Math.max(0, first)).join('\n')).replaceAll(/\n{3,}/g, '\n\n')
}

function endsAt(lines: string[], text: string, index: number): boolean {
  const line = text.replace(/^[>\s\u00a0]{0,20}/, '').trimEnd()
  if (Object.values(replyMarkers).some((marker) => line.includes(marker))) return true
  if (line.length === 0 || line.length > longestLine) return false
  if (signatures.some((pattern) => pattern.test(line)) || text.trimEnd() === '--') return true
  if (text.startsWith('>')) return false
  if (introductions.some((pattern) => pattern.test(line))) return true
  // Some programs break the introduction into two lines.
  const next = (lines[index + 1] ?? '').trim()
  if (next.length < longestLine && next.endsWith(':') && introductions[0]?.test(`${line} ${next}`)) return true
  return headerOfQuote.test(line) && lines.slice(index + 1, index + 4).some((each) => secondHeader.test(each.trim()))
}

function withoutControls(text: string): string {
  return text.toWellFormed().replaceAll(/\p{Cc}/gu, (control) => (/[\n\t]/.test(control) ? control : ''))
}

/** The text of a mail that has HTML only. Blocks become lines; quotations are left out. */
export function textOfHtml(html: string): string {
  let text = ''
  let hidden: string | undefined
  // One pass over tags and what is between them.
  for (const [part] of html.matchAll(/<[^<>]{0,2000}>|[^<]+|</g)) {
    const tag = /^<(\/?)([a-z0-9]+)/i.exec(part)
    const [, closing, name = ''] = tag ?? []
    const lower = name.toLowerCase()
    if (!tag) {
      if (hidden === undefined && !/^<[!?]/.test(part)) text += part.replaceAll(/\s+/g, ' ')
      continue
    }
    if (hidden !== undefined) {
      if (closing && lower === hidden) hidden = undefined
      continue
    }
    if (!closing && /gmail_quote|moz-cite-prefix|divRplyFwdMsg|yahoo_quoted/.test(part)) break
    if (!closing && lower === 'blockquote') break
    if (!closing && /^(?:script|style|head|title|template)$/.test(lower)) hidden = lower
    else if (/^(?:br|p|div|tr|li|h[1-6]|table|ul|ol)$/.test(lower)) text += closing || lower === 'br' ? '\n' : ''
  }
  // By line: a pattern would look through a run of blanks from each of them.
  return decoded(text)
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

function decoded(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[String(name).toLowerCase()] ?? whole
    const code = Number.parseInt(String(decimal ?? hex), decimal === undefined ? 16 : 10)
    return code <= 0x10_ff_ff && (code < 0xd8_00 || code > 0xdf_ff) ? String.fromCodePoint(code) : whole
  })
}

type Headers = { key: string; value: string }[]

/** Whether a program sent it: an absence note, a bounce, a list. Answering those makes loops. */
export function isAutomatic(headers: Headers): boolean {
  return headers.some(({ key, value }) => {
    const text = value.trim().toLowerCase()
    switch (key.toLowerCase()) {
      case 'auto-submitted':
        return text !== 'no'
      case 'precedence':
        return /^(?:bulk|junk|list|auto_reply)$/.test(text)
      case 'x-autoreply':
      case 'x-autorespond':
      case 'x-auto-response-suppress-loop':
      case 'list-id':
      case 'x-failed-recipients':
        return true
      case 'return-path':
        return text === '<>'
      case 'content-type':
        return text.startsWith('multipart/report') || text.startsWith('message/delivery-status')
      default:
        return false
    }
  })
}
