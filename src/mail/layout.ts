import { escapeHtml } from '../contract/html.js'
import type { Language } from '../contract/portal/people.js'
import { accentsOf } from '../domain/branding/accent.js'

/**
 * The HTML of mails: tables and inline styles, which all mail programs show, with the forwarder's name, logo and colour. Programs that
 * know `prefers-color-scheme` show it dark, by the classes.
 */

export type Look = { forwarderName: string; color: string; hasLogo: boolean }

/** Its colour; a plain one has no bar at its side. */
export type Tone = 'problem' | 'late' | 'done' | 'plain'

export type Block = {
  html: string
  /** Of the bar at its left side. */
  tone?: Tone
}

type Layout = {
  language: Language
  subject: string
  /** What lists of mails show behind the subject. */
  preview: string
  /** Above everything, such as where a reply ends. */
  top?: string | undefined
  /** Below the forwarder's name; of a mail about several things. */
  title?: string | undefined
  /** For whom it is. */
  subtitle?: string | undefined
  blocks: Block[]
  /** HTML of the small text at the end. */
  footer: string
}

/** The content id of the picture. */
export const logoId = 'logo@waybill'
export const usualColor = '#0e7c86'

const font = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

// As in web/portal/portal.css.
const light = {
  ink: '#0b1f33',
  soft: '#51616f',
  ground: '#f0f3f6',
  surface: '#ffffff',
  line: '#e1e6eb',
  quote: '#f7f8fa',
}
const dark = {
  ink: '#e7eef5',
  soft: '#a3b4c4',
  ground: '#0b1622',
  surface: '#10202f',
  line: '#22374a',
  quote: '#16293b',
}
const tones: Record<Tone, { light: string; dark: string }> = {
  problem: { light: '#b3261e', dark: '#ff9a90' },
  late: { light: '#8a5200', dark: '#f3b65c' },
  done: { light: '#1a6b40', dark: '#72d19c' },
  plain: { light: light.soft, dark: dark.soft },
}

function darkStyle(color: string): string {
  const accent = accentsOf(color).dark
  const rules = [
    `.m-ground{background:${dark.ground}!important}`,
    `.m-card{background:${dark.surface}!important;border-color:${dark.line}!important}`,
    `.m-ink{color:${dark.ink}!important}`,
    `.m-soft{color:${dark.soft}!important}`,
    `.m-line{border-color:${dark.line}!important}`,
    `.m-quote{background:${dark.quote}!important;border-color:${dark.line}!important}`,
    `.m-button{background:${accent.accent}!important}.m-button a{color:${accent.on}!important}`,
    // A logo is made for a light ground.
    '.m-logo{background:#ffffff!important;padding:6px 8px!important;border-radius:6px!important}',
    ...Object.entries(tones).map(
      ([tone, colors]) =>
        `.m-${tone}{color:${colors.dark}!important}.m-bar-${tone}{background:${colors.dark}!important}`,
    ),
  ]
  return `:root{color-scheme:light dark;supported-color-schemes:light dark}@media (prefers-color-scheme:dark){${rules.join('')}}@media (max-width:480px){.m-pad{padding-left:18px!important;padding-right:18px!important}.m-item{padding-left:14px!important;padding-right:18px!important}.m-ground{padding:0!important}.m-card{border-radius:0!important;border-left:0!important;border-right:0!important}}`
}

export function layout(
  look: Look,
  { language, subject, preview, top, title, subtitle, blocks, footer }: Layout,
): string {
  const name = escapeHtml(oneLine(look.forwarderName))
  const head = look.hasLogo
    ? `<img class="m-logo" src="cid:${logoId}" alt="${name}" height="36" style="display:inline-block;height:36px;max-width:220px;border:0">`
    : `<span class="m-ink" style="font-size:17px;font-weight:700;letter-spacing:-.01em;color:${light.ink}">${name}</span>`
  const titled = [
    title === undefined
      ? ''
      : `<div class="m-ink" style="padding-top:12px;font-size:20px;line-height:28px;font-weight:700;color:${light.ink}">${escapeHtml(oneLine(title))}</div>`,
    subtitle === undefined
      ? ''
      : `<div class="m-soft" style="padding-top:6px;font-size:13px;line-height:18px;color:${light.soft}">${escapeHtml(oneLine(subtitle))}</div>`,
  ].join('')
  const rows = blocks.map(
    ({ html, tone }) => `<tr><td class="m-line" style="padding:0;border-top:1px solid ${light.line}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr>
<td width="4" class="${hasBar(tone) ? `m-bar-${tone}` : ''}" style="width:4px;font-size:0;line-height:0${hasBar(tone) ? `;background:${tones[tone].light}` : ''}">&nbsp;</td>
<td class="m-item" style="padding:18px 28px 20px 24px">${html}</td>
</tr></table></td></tr>`,
  )
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title>${escapeHtml(oneLine(subject))}</title>
<style>${darkStyle(look.color)}</style>
</head>
<body class="m-ground" style="margin:0;padding:28px 12px;background:${light.ground};font-family:${font};-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(oneLine(preview))}${'&#8199;&#847; '.repeat(40)}</div>
<!--[if mso]><table role="presentation" width="600" align="center" cellpadding="0" cellspacing="0"><tr><td><![endif]-->
<table role="presentation" class="m-card" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px;margin:0 auto;background:${light.surface};border:1px solid ${light.line};border-radius:10px;border-collapse:separate;overflow:hidden">
${top === undefined ? '' : `<tr><td class="m-pad m-soft" style="padding:10px 28px 0;font-size:11px;line-height:16px;color:${light.soft}">${escapeHtml(top)}</td></tr>`}
<tr><td class="m-pad" style="padding:22px 28px 18px">${head}${titled}</td></tr>
${rows.join('\n')}
<tr><td class="m-pad m-line m-soft" style="padding:18px 28px 22px;border-top:1px solid ${light.line};font-size:12px;line-height:19px;color:${light.soft}">${footer}</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</body>
</html>
`
}

function hasBar(tone: Tone | undefined): tone is Tone {
  return tone !== undefined && tone !== 'plain'
}

export function button(look: Look, link: string, text: string): string {
  const { light: accent } = accentsOf(look.color)
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin-top:16px"><tr><td class="m-button" style="border-radius:6px;background:${accent.accent}"><a href="${escapeHtml(link)}" style="display:inline-block;padding:11px 20px;font-size:15px;line-height:20px;font-weight:600;color:${accent.on};text-decoration:none">${escapeHtml(text)}</a></td></tr></table>`
}

export function label(text: string, tone: Tone): string {
  return `<div class="m-${tone}" style="font-size:13px;line-height:18px;font-weight:600;color:${tones[tone].light}">${escapeHtml(text)}</div>`
}

export function heading(text: string, link: string): string {
  return `<div style="padding-top:3px;font-size:18px;line-height:25px;font-weight:600"><a class="m-ink" href="${escapeHtml(link)}" style="color:${light.ink};text-decoration:none">${escapeHtml(oneLine(text))}</a></div>`
}

export function caption(text: string): string {
  return `<div class="m-soft" style="font-size:13px;line-height:19px;color:${light.soft}">${escapeHtml(oneLine(text))}</div>`
}

/** Plain text with its line breaks. */
export function paragraph(text: string, isFirst = false): string {
  return `<div class="m-ink" style="padding-top:${isFirst ? 0 : 6}px;font-size:15px;line-height:23px;color:${light.ink};overflow-wrap:anywhere">${withBreaks(text)}</div>`
}

export function note(html: string): string {
  return `<div class="m-soft" style="padding-top:14px;font-size:12px;line-height:18px;color:${light.soft};overflow-wrap:anywhere">${html}</div>`
}

/** What somebody wrote. */
export function quote(author: string, text: string): string {
  return `<div class="m-quote" style="margin-top:10px;padding:12px 16px;border:1px solid ${light.line};border-radius:8px;background:${light.quote}"><div class="m-soft" style="font-size:13px;line-height:18px;font-weight:600;color:${light.soft}">${escapeHtml(oneLine(author))}</div>${paragraph(text)}</div>`
}

export function softLink(link: string, text: string): string {
  return `<a class="m-soft" href="${escapeHtml(link)}" style="color:${light.soft}">${escapeHtml(text)}</a>`
}

function withBreaks(text: string): string {
  return escapeHtml(text).replaceAll('\n', '<br>')
}

// Names come from others: they cannot add lines.
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
