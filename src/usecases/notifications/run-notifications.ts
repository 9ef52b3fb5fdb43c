import { setTimeout as sleep } from 'node:timers/promises'
import { businessTime } from '../../clock/clock.js'
import type { Database } from '../../database/database.js'
import { isCancelled, isUnreachable } from '../../database/errors.js'
import { listAccountsToNotify } from '../../store/notifications.js'
import { collectStep } from './collect-notifications.js'
import { type MailOptions, mailStep } from './mail-notifications.js'

/** Notifies people of what they subscribed to, in the background. Every process does; steps that collide are done again. */

type Options = {
  signal: AbortSignal
  onError(error: unknown): void
  /** Undefined without a mail server. */
  mail: MailOptions | undefined
  /** Business time, unless it is simulated and others have to be done before. */
  readTime?: (() => number) | undefined
}

const pauseBetweenRounds = 1000
const pauseAfterError = 5000

/** Runs until the signal aborts. */
export async function runNotifications(
  db: Database,
  { signal, onError, mail, readTime = businessTime }: Options,
): Promise<void> {
  while (!signal.aborted) {
    let pause = pauseBetweenRounds
    try {
      if (await notifyRound(db, readTime(), { signal, mail })) pause = 0
    } catch (error) {
      if (signal.aborted) return
      if (!isUnreachable(error) && !isCancelled(error)) onError(error)
      pause = pauseAfterError
    }
    await sleep(pause, undefined, { signal }).catch(() => {})
  }
}

/** A step for each account with changes, and the mails that are due. Whether there is more to do at once. */
export async function notifyRound(
  db: Database,
  now: number,
  { signal, mail }: Pick<Options, 'mail'> & { signal?: AbortSignal },
): Promise<boolean> {
  let isMore = false
  let failure: unknown
  for (const account of await listAccountsToNotify(db)) {
    if (signal?.aborted) return false
    try {
      isMore = (await collectStep(db, account, { now, sendsMail: mail !== undefined })) || isMore
    } catch (error) {
      // One account that fails does not hold up the others.
      failure = error
    }
  }
  if (mail) await mailStep(db, now, mail)
  if (failure !== undefined) throw failure
  return isMore
}
