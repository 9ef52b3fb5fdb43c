import { lazy, Suspense, useEffect, useState } from 'react'
import { onReauthentication } from '../api/client.js'

const ReauthenticationDialog = lazy(async () => ({
  default: (await import('./reauthentication-dialog.js')).ReauthenticationDialog,
}))

type Pending = { answer: Promise<boolean>; finish(isDone: boolean): void }

/** Asks the person to authenticate again when an operation requires it; requests at the same time share one dialog. */
export function Reauthentication() {
  const [pending, setPending] = useState<Pending>()

  useEffect(() => {
    let current: Pending | undefined
    onReauthentication(() => {
      current ??= newPending(() => {
        current = undefined
        setPending(undefined)
      })
      setPending(current)
      return current.answer
    })
    return () => {
      current?.finish(false)
      onReauthentication(async () => false)
    }
  }, [])

  if (!pending) return null
  return (
    <Suspense fallback={null}>
      <ReauthenticationDialog onDone={() => pending.finish(true)} onClose={() => pending.finish(false)} />
    </Suspense>
  )
}

function newPending(whenFinished: () => void): Pending {
  const { promise, resolve } = withResolvers()
  const finish = (isDone: boolean) => {
    resolve(isDone)
    whenFinished()
  }
  return { answer: promise, finish }
}

function withResolvers(): { promise: Promise<boolean>; resolve(isDone: boolean): void } {
  let resolve: (isDone: boolean) => void = () => {}
  const promise = new Promise<boolean>((resolved) => {
    resolve = resolved
  })
  return { promise, resolve }
}
