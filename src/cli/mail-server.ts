export type MailServer = {
  host: string
  port: number
  /** Implicit TLS, required STARTTLS, or none. */
  tls: 'implicit' | 'starttls' | 'off'
  credentials: { user: string; pass: string } | undefined
}

export const mailServerForm =
  'smtps://[USER:PASSWORD@]HOST[:PORT] or smtp://[USER:PASSWORD@]HOST[:PORT][?tls=off] with percent-encoded parts'

/** Parses the setting; returns undefined if it is not valid. */
export function findMailServer(text: string): MailServer | undefined {
  try {
    const url = new URL(text)
    const { tls = 'on', ...unknown } = Object.fromEntries(url.searchParams)
    const isSecure = url.protocol === 'smtps:'
    const isGood =
      (isSecure || url.protocol === 'smtp:') &&
      url.hostname !== '' &&
      ['', '/'].includes(url.pathname) &&
      url.hash === '' &&
      ['on', 'off'].includes(tls) &&
      !(isSecure && tls === 'off') &&
      Object.keys(unknown).length === 0 &&
      (url.username === '') === (url.password === '')
    if (!isGood) return undefined
    const [user, pass] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
    return {
      host: decodeURIComponent(url.hostname).replaceAll(/^\[|\]$/g, ''),
      // The standard ports for mail submission.
      port: Number(url.port) || (isSecure ? 465 : 587),
      tls: isSecure ? 'implicit' : tls === 'on' ? 'starttls' : 'off',
      credentials: user === '' ? undefined : { user, pass },
    }
  } catch {
    // Whichever part is invalid, the error message shows the expected format.
    return undefined
  }
}

const address = '[^@\\s<>]+@[^@\\s<>]+'
const sender = new RegExp(`^(?:[^<>\\r\\n]*<${address}>|${address})$`)

/** Whether the text is a valid From address. */
export function isSender(text: string): boolean {
  return sender.test(text)
}
