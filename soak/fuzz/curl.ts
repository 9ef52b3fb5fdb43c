import type { Wire } from './request.js'

const longestShown = 4000

/** A request as a curl command; the address and secrets are variables: `$ADDRESS`, `$KEY`, `$TOKEN`. */
export function curlOf({ method, target, headers, body }: Wire, secrets: Map<string, string>): string {
  const shown = headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`, secrets)}`)
  const head = `curl -i --path-as-is --globoff -X ${quoted(method, secrets)} "$ADDRESS"${quoted(target, secrets)}`
  const command = [head, ...shown].join(' \\\n  ')
  if (body === undefined) return command
  return isPlain(body)
    ? `${command} \\\n  --data-binary ${quoted(body.toString(), secrets)}`
    : `printf %s ${shortened(body.toString('base64'))} | base64 -d | ${command} \\\n  --data-binary @-`
}

function isPlain(body: Buffer): boolean {
  const text = body.toString()
  return Buffer.from(text).equals(body) && !/\p{Cc}/u.test(text.replaceAll(/[\n\r\t]/g, ''))
}

/** Quoted for the shell; secrets are replaced by variables. */
function quoted(text: string, secrets: Map<string, string>): string {
  const literal = `'${shortened(text).replaceAll("'", String.raw`'\''`)}'`
  return [...secrets].reduce((all, [secret, name]) => all.replaceAll(secret, `'"$${name}"'`), literal)
}

function shortened(text: string): string {
  const rest = text.length - longestShown
  return rest > 0 ? `${text.slice(0, longestShown)}... (and ${rest} characters more)` : text
}
