import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'

/** A real SMTP server. */

type Received = { from: string; to: string[]; user: string | undefined; content: string }

type Options = { refuses?: string; password?: string; refusesRecipients?: boolean }

export async function startMailServer({ refuses, password = 'p@ss:word', refusesRecipients = false }: Options = {}) {
  const received: Received[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password: given }, _session, done) =>
      given === password ? done(null, { user: username }) : done(new Error('wrong password')),
    onRcptTo: (_address, _session, done) =>
      done(refusesRecipients ? Object.assign(new Error('nobody of that name'), { responseCode: 550 }) : null),
    onData(stream, { envelope, user }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const content = Buffer.concat(chunks).toString()
        if (refuses !== undefined) return done(new Error(`${refuses}: ${content}`))
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        received.push({ from, to: envelope.rcptTo.map(({ address }) => address), user: user as string, content })
        return done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  return { received, port, url: `smtp://waybill:p%40ss%3Aword@127.0.0.1:${port}?tls=off` }
}

/** The decoded text of a mail. */
export function readable(content: string): string {
  const joined = content.replaceAll('=\r\n', '')
  return joined.replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
