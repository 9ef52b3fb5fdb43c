import type { Database } from '../../database/database.js'
import { isUnreachable } from '../../database/errors.js'
import type { Mail, SendMail } from '../../mail/messages.js'
import { insertMail, leaseDueMail, markFailed, markSent } from '../../store/mails.js'

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
  let wake = () => {}
  const underWay = new Set<Promise<boolean>>()

  /** Whether there was one. */
  function sendNext(): Promise<boolean> {
    const next = leaseAndSend().finally(() => underWay.delete(next))
    underWay.add(next)
    return next
  }

  async function leaseAndSend(): Promise<boolean> {
    const due = await leaseDueMail(db, leaseSeconds)
    if (!due) return false
    const { mail_id, attempts, mail } = due
    if (!mail) {
      await markFailed(db, mail_id, 'The secret that it was encrypted with was replaced.', undefined)
      return true
    }
    try {
      await deliver(mail)
    } catch (error) {
      const { message } = error as Error
      onFailure(mail, message)
      await markFailed(db, mail_id, message, error instanceof RejectedMail ? undefined : delays[attempts - 1])
      return true
    }
    await markSent(db, mail_id)
    return true
  }

  async function sendAll(): Promise<void> {
    while (await sendNext()) if (signal.aborted) return
  }

  async function pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pauseBetweenLooks)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
      signal.addEventListener('abort', wake, { once: true })
    })
    signal.removeEventListener('abort', wake)
  }

  return {
    async send(mail) {
      await insertMail(db, mail)
      mail.onTaken?.()
      wake()
    },
    async sendDue() {
      await sendAll()
      await Promise.allSettled(underWay)
    },
    async run() {
      while (!signal.aborted) {
        try {
          if (await sendNext()) await Promise.all(Array.from({ length: mostAtOnce }, sendAll))
        } catch (error) {
          if (!isUnreachable(error)) onError(error)
        }
        if (!signal.aborted) await pause()
      }
    },
  }
}
