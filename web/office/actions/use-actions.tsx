import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import type { ExceptionActing, ExceptionVersion } from '../../../src/contract/operator/exceptions.js'
import { announce } from '../../ui/announce.js'
import { Button } from '../../ui/button.js'
import { presentDate } from '../../ui/clock.js'
import { ErrorNotice, Notice } from '../../ui/notice.js'
import { ops } from '../api/ops.js'
import { useOfficeMessages } from '../i18n/messages.js'
import styles from './actions.module.css'

/** What people do with items: the outcome is shown, and can be undone for 10 seconds where the interface can take it back. */

const undoFor = 10_000

type Outcome = { text: string; error?: unknown; undo?: (() => Promise<unknown>) | undefined }

export type Actions = {
  /** Runs an action, reports it, and fetches what is shown again. Resolves to whether it was done. A form may show its own errors. */
  run(act: () => Promise<Outcome>, onError?: (error: unknown) => Promise<void>): Promise<boolean>
  act(exceptions: ExceptionVersion[], acting: ExceptionActing): Promise<boolean>
  undo?: (() => void) | undefined
  isBusy: boolean
}

export function useActionState(): { actions: Actions; outcome: ReactNode } {
  const { work: m } = useOfficeMessages()
  const client = useQueryClient()
  const [shown, setShown] = useState<Outcome>()
  const [isBusy, setBusy] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const show = (outcome: Outcome | undefined) => {
    clearTimeout(timer.current)
    setShown(outcome)
    if (outcome?.text) announce(outcome.text)
    // Errors stay until the next action.
    if (outcome && outcome.error === undefined) timer.current = setTimeout(() => setShown(undefined), undoFor)
  }

  const run: Actions['run'] = async (act, onError) => {
    if (isBusy) return false
    setBusy(true)
    try {
      show(await act())
      return true
    } catch (error) {
      if (onError) await onError(error)
      else show({ text: '', error })
      return false
    } finally {
      setBusy(false)
      void client.invalidateQueries()
    }
  }

  const act = (exceptions: ExceptionVersion[], acting: ExceptionActing) =>
    run(async () => {
      const outcomes = await actOn(exceptions, acting)
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
    ? () =>
        void run(async () => {
          await undo()
          return { text: m.undone }
        })
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
  return { actions: { run, act, undo: takeBack, isBusy }, outcome }
}

const namedException = ({ account, id }: ExceptionVersion) => ({ account, exception_id: id })

// As many as one request takes.
const most = 200

async function actOn(exceptions: ExceptionVersion[], acting: ExceptionActing) {
  const done = []
  for (let from = 0; from < exceptions.length; from += most) {
    const named = exceptions.slice(from, from + most).map(namedException)
    done.push(...(await ops.actOnExceptions({ body: { ...acting, exceptions: named } })).outcomes)
  }
  return done
}

/** What takes an action back: an owner is restored, a snooze ended. Undefined if it cannot be taken back. */
function undoOf(exceptions: ExceptionVersion[], { action }: ExceptionActing): (() => Promise<unknown>) | undefined {
  if (action === 'snooze') return () => actOn(exceptions, { action: 'wake' })
  if (action !== 'assign') return undefined
  const owners = new Set(exceptions.map(({ record }) => record.owner ?? ''))
  return async () => {
    for (const owner of owners) {
      const owned = exceptions.filter(({ record }) => (record.owner ?? '') === owner)
      await actOn(owned, { action: 'assign', owner })
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
