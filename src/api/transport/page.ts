import { escapeHtml } from '../../contract/html.js'
import { cspHash, pageHeaders } from './security-headers.js'

/** Static HTML pages of the service, without scripts. */

const style = `
:root { color-scheme: light dark; --ink: #0b1f33; --paper: #f7f8fa; --accent: #0e7c86; --line: #d8dee5 }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #0d1721; --accent: #4fb3bd; --line: #2a3947 } }
body { font: 16px/1.6 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 44rem; margin: 3rem auto; padding: 0 1.25rem }
h1 { font-size: 1.75rem; line-height: 1.25; margin: .25rem 0 1.5rem } h2 { font-size: 1rem; margin: 1.5rem 0 .25rem }
a { color: var(--accent) } code { font: .9em ui-monospace, monospace } .kicker { margin: 0; opacity: .8 }
button { font: inherit; padding: .5rem 1rem; border: 0; border-radius: 6px; color: var(--paper); background: var(--accent); cursor: pointer }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: .85em/1.5 ui-monospace, monospace } summary { cursor: pointer; padding: .6rem 0 }
.mail { border-bottom: 1px solid var(--line) } .mail iframe { width: 100%; height: 36rem; border: 1px solid var(--line); border-radius: 8px }`

// Text and this style only.
export const plainPageHeaders = pageHeaders({ 'style-src': cspHash(style), 'form-action': "'none'" })

/** The same, with frames of the service. */
export const framingPageHeaders = pageHeaders({
  'style-src': cspHash(style),
  'frame-src': "'self'",
  'form-action': "'none'",
})

/** The same, with a form that is sent to the service. */
export const formPageHeaders = pageHeaders({ 'style-src': cspHash(style), 'form-action': "'self'" })

export function page(title: string, body: string, language = 'en'): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} &middot; Waybill</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`
}

/** Text with `code` in backticks. */
export function code(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}
