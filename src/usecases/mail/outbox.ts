import type { Database } from '../../database/database.js'
import { isUnreachable } from '../../database/errors.js'
import type { Mail, SendMail } from '../../mail/messages.js'
import { type DueMail, insertMail, leaseDueMail, markFailed, markSent } from '../../store/mails.js'

/**
 * Mails are stored before they are sent: a mail server that is away, or a service that stops, loses none. A mail is sent once,
 * unless the service is killed after the server's response, before that is stored.
 */

/** Delivers a mail to the mail server; rejects with the reason if it does not take it. */
export type DeliverMail = (mail: Mail) => Promise<void>

/** The server will not take it at another time either. */
export class RejectedMail extends Error {}

type Options = { signal: AbortSignal; onError(error: unknown): void; onFailure(mail: Mail, reason: string): void }

const minute = 60
const hour = 60 * minute
// Seconds until the next attempt; after the last one the mail is given up. Links in mails end after a week at most.
const delays = [30, 2 * minute, 10 * minute, hour, 4 * hour, 12 * hour, 24 * hour, 24 * hour, 24 * hour]
const pauseBetweenLooks = 2000
// Longer than a mail server may take.
const leaseSeconds = 120
// Mails that a process sends at once: a link that somebody waits for is not behind all digests of the morning.
const mostAtOnce = 4

export type Outbox = {
  /** Returns once the mail is stored. */
  send: SendMail
  /** Sends what is stored until the signal aborts. Every process does; each mail is sent by one of them. */
  run(): Promise<void>
  /** Returns when nothing is due, and nothing is being sent by this process. */
  sendDue(): Promise<void>
}

export function openOutbox(db: Database, deliver: DeliverMail, { signal, onError, onFailure }: Options): Outbox {
  /** Of this process, by recipient. */
  const sending = new Map<string, Promise<void>>()
  let starting: Promise<unknown> = Promise.resolve()
  let isWoken = false
  let resume = () => {}

  /** Begins to send the next mail. Whether there was one. Mails to one person are sent one after another, in their order. */
  function startNext(): Promise<boolean> {
    const next = starting.then(async () => {
      const due = await leaseDueMail(db, leaseSeconds, [...sending.keys()])
      if (!due) return false
      const sent = sendDueMail(due)
        .catch(report)
        .finally(() => {
          sending.delete(due.recipient)
          wake()
        })
      sending.set(due.recipient, sent)
      return true
    })
    starting = next.catch(() => {})
    return next
  }

  async function startAll(): Promise<void> {
    while (sending.size < mostAtOnce && !signal.aborted) if (!(await startNext())) return
  }

  async function sendDueMail({ mail_id, attempts, mail }: DueMail): Promise<void> {
    if (!mail) return markFailed(db, mail_id, 'The secret that it was encrypted with was replaced.', undefined)
    try {
      await deliver(mail)
    } catch (error) {
      const { message } = error as Error
      onFailure(mail, message)
      return markFailed(db, mail_id, message, error instanceof RejectedMail ? undefined : delays[attempts - 1])
    }
    await markSent(db, mail_id)
  }

  function report(error: unknown): void {
    if (!isUnreachable(error)) onError(error)
  }

  function wake(): void {
    isWoken = true
    resume()
  }

  async function pause(): Promise<void> {
    if (!isWoken) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pauseBetweenLooks)
        resume = () => {
          clearTimeout(timer)
          resolve()
        }
        signal.addEventListener('abort', resume, { once: true })
      })
      signal.removeEventListener('abort', resume)
    }
    isWoken = false
  }

  return {
    async send(mail) {
      await insertMail(db, mail)
      mail.onTaken?.()
      wake()
    },
    async sendDue() {
      for (;;) {
        await startAll()
        if (sending.size === 0) return
        await Promise.race(sending.values())
      }
    },
    async run() {
      while (!signal.aborted) {
        await startAll().catch(report)
        if (!signal.aborted) await pause()
      }
      await Promise.all(sending.values())
    },
  }
}
