export type MailServer = {
  host: string
  port: number
  /** From the first byte on, from when it is offered on, or not at all. */
  tls: 'at once' | 'required' | 'off'
  credentials: { user: string; pass: string } | undefined
}

export const mailServerForm =
  'smtps://[USER:PASSWORD@]HOST[:PORT] or smtp://[USER:PASSWORD@]HOST[:PORT][?tls=off] with percent-encoded parts'

/** What the address says, or undefined when it says nothing that can be used. */
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
      // As they are submitted to a server that asks who one is.
      port: Number(url.port) || (isSecure ? 465 : 587),
      tls: isSecure ? 'at once' : tls === 'on' ? 'required' : 'off',
      credentials: user === '' ? undefined : { user, pass },
    }
  } catch {
    // Not an address, or not well encoded: the form is what its writer is told, whatever part of it is wrong.
    return undefined
  }
}

const address = '[^@\\s<>]+@[^@\\s<>]+'
const sender = new RegExp(`^(?:[^<>\\r\\n]*<${address}>|${address})$`)

/** Whether mails can be said to come from it. */
export function isSender(text: string): boolean {
  return sender.test(text)
}
