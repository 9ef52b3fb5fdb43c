import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import type { ExceptionActing, ExceptionVersion } from '../../../src/contract/operator/exceptions.js'
import { announce } from '../../ui/announce.js'
import { Button } from '../../ui/button.js'
import { presentDate } from '../../ui/clock.js'
import { ErrorNotice, Notice } from '../../ui/notice.js'
import { runAttempt } from '../api/attempts.js'
import { ops } from '../api/ops.js'
import { useOfficeMessages } from '../i18n/messages.js'
import styles from './actions.module.css'

/** What people do with items: the outcome is shown, and can be undone for 10 seconds where the interface can take it back. */

const undoFor = 10_000

export type Outcome = { text: string; error?: unknown; undo?: (() => Promise<unknown>) | undefined }

export type Actions = {
  /**
   * Runs an action after those that were started before, reports it, and fetches what is shown again. Resolves to whether it was
   * done. A form may show its own errors.
   */
  run(act: () => Promise<Outcome>, onError?: (error: unknown) => Promise<void>): Promise<boolean>
  act(exceptions: ExceptionVersion[], acting: ExceptionActing): Promise<boolean>
  undo?: (() => void) | undefined
  isBusy: boolean
}

// An action that leaves its page reports on the next one, where it can still be undone.
let carried: Outcome | undefined

export function carryOutcome(outcome: Outcome): Outcome {
  carried = outcome
  return outcome
}

export function useActionState(): { actions: Actions; outcome: ReactNode } {
  const { work: m } = useOfficeMessages()
  const client = useQueryClient()
  const [shown, setShown] = useState<Outcome>()
  const [running, setRunning] = useState(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const show = (outcome: Outcome | undefined) => {
    clearTimeout(timer.current)
    setShown(outcome)
    if (outcome?.text) announce(outcome.text)
    // Errors stay until the next action.
    if (outcome && outcome.error === undefined) timer.current = setTimeout(() => setShown(undefined), undoFor)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens
  useEffect(() => {
    if (carried) show(carried)
    carried = undefined
  }, [])

  const run: Actions['run'] = async (act, onError) => {
    setRunning((count) => count + 1)
    try {
      show(await runAttempt(act))
      return true
    } catch (error) {
      if (onError) await onError(error)
      else show({ text: '', error })
      return false
    } finally {
      setRunning((count) => count - 1)
      void client.invalidateQueries()
    }
  }

  const act = (exceptions: ExceptionVersion[], acting: ExceptionActing) =>
    run(async () => {
      const outcomes = await actOnExceptions(exceptions, acting)
      const refused = outcomes.filter(({ outcome }) => outcome === 'refused')
      const changed = exceptions.filter((_, index) => outcomes[index]?.outcome !== 'refused')
      const parts = [
        ...(changed.length > 0 ? [m.done[acting.action](changed.length)] : []),
        ...(refused.length > 0 ? [m.refused(refused.length, refused[0]?.detail ?? '')] : []),
      ]
      return { text: parts.join(' '), undo: changed.length > 0 ? undoOf(changed, acting) : undefined }
    })

  const undo = shown?.undo
  const takeBack = undo
    ? () => {
        // Once: a second key would take it back again.
        show(undefined)
        void run(async () => {
          await undo()
          return { text: m.undone }
        })
      }
    : undefined

  const outcome = shown && (
    <div className={styles.outcome}>
      {shown.error === undefined ? (
        <Notice tone="done" onClose={() => show(undefined)}>
          {shown.text}{' '}
          {takeBack && (
            <Button size="xs" variant="default" onClick={takeBack}>
              {m.undo} <kbd>z</kbd>
            </Button>
          )}
        </Notice>
      ) : (
        <ErrorNotice error={shown.error} />
      )}
    </div>
  )
  return { actions: { run, act, undo: takeBack, isBusy: running > 0 }, outcome }
}

const namedException = ({ account, id }: ExceptionVersion) => ({ account, exception_id: id })

// As many as one request takes.
const most = 200

export async function inBatches<Item, Done>(items: Item[], act: (some: Item[]) => Promise<Done[]>): Promise<Done[]> {
  const done: Done[] = []
  for (let from = 0; from < items.length; from += most) done.push(...(await act(items.slice(from, from + most))))
  return done
}

export async function actOnExceptions(exceptions: ExceptionVersion[], acting: ExceptionActing) {
  return inBatches(exceptions, async (some) => {
    const body = { ...acting, exceptions: some.map(namedException) }
    return (await ops.actOnExceptions({ body })).outcomes
  })
}

/** What takes an action back: an owner is restored, a snooze ended. Undefined if it cannot be taken back. */
export function undoOf(
  exceptions: ExceptionVersion[],
  { action }: ExceptionActing,
): (() => Promise<unknown>) | undefined {
  if (action === 'snooze') return () => actOnExceptions(exceptions, { action: 'wake' })
  if (action !== 'assign') return undefined
  const owners = new Set(exceptions.map(({ record }) => record.owner ?? ''))
  return async () => {
    for (const owner of owners) {
      const owned = exceptions.filter(({ record }) => (record.owner ?? '') === owner)
      await actOnExceptions(owned, { action: 'assign', owner })
    }
  }
}

export const ActionsContext = createContext<Actions | undefined>(undefined)

export function useActions(): Actions {
  const actions = useContext(ActionsContext)
  if (!actions) throw new Error('ActionsContext is missing')
  return actions
}

/** Tomorrow, or a number of days from now, at 8 in the morning of this browser's time zone. */
export function morning(days: number): string {
  const day = presentDate()
  day.setDate(day.getDate() + days)
  day.setHours(8, 0, 0, 0)
  return day.toISOString()
}
