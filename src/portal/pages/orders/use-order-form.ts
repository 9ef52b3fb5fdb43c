import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { WaybillError } from '../../../client/client.js'
import type { Fault } from '../../../contract/refusals.js'
import { type Attempt, findDraft, forgetDraft, type KeptDraft, keepDraft } from './kept-draft.js'
import { isSame, newKey, type OrderDraft, type SentOrder, withoutBlankRows, wordsOf } from './order-draft.js'

export type Rules = typeof import('./order-validation.js')

export type OrderFormOptions = {
  /** Where what is typed is kept. */
  storageKey: string
  /** What the form begins with. */
  initial: OrderDraft
  toSend(draft: OrderDraft): SentOrder
  faultsIn(rules: Rules, order: SentOrder): Fault[]
  send(order: SentOrder, idempotencyKey: string): Promise<{ reference: string }>
  onSaved(reference: string): void
  /** Begins anew, with the order as it is now. */
  restart(): void
}

export type OrderForm = ReturnType<typeof useOrderForm>

/** What is typed, what is wrong with it, and whether it is saved. Nothing that was typed is ever lost. */
export function useOrderForm({ storageKey, initial, toSend, faultsIn, send, onSaved, restart }: OrderFormOptions) {
  const [kept] = useState(() => findOther(storageKey, initial))
  const [draft, setDraft] = useState(kept?.draft ?? initial)
  const [base] = useState(kept?.base ?? wordsOf(initial))
  const [isRestored, setRestored] = useState(kept !== undefined)
  const [hasTried, setTried] = useState(false)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [told, setTold] = useState<Fault[]>([])
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const attempt = useRef<Attempt | undefined>(kept?.attempt)
  const isDone = useRef(false)
  const rules = useRules()

  const isDirty = draft !== initial && !isSame(draft, initial)

  // Kept and looked at when the keys are on the screen: a long order must not make them slow.
  const settled = useDeferredValue(draft)
  const keep = useCallback(
    (typed: OrderDraft) => {
      if (typed !== initial && !isDone.current) keepDraft(storageKey, { draft: typed, base, attempt: attempt.current })
    },
    [storageKey, initial, base],
  )
  useEffect(() => keep(settled), [keep, settled])
  // Whoever goes away before the last keys were looked at finds them as well.
  const newest = useRef(draft)
  useEffect(() => {
    newest.current = draft
  }, [draft])
  useEffect(() => {
    const keepNewest = () => keep(newest.current)
    window.addEventListener('pagehide', keepNewest)
    return () => {
      window.removeEventListener('pagehide', keepNewest)
      keepNewest()
    }
  }, [keep])
  const found = useMemo(() => (rules ? faultsIn(rules, toSend(settled)) : []), [rules, settled, faultsIn, toSend])
  const shown = useMemo(
    () => [...(hasTried ? found : found.filter((each) => isWorthSaying(each, left))), ...told],
    [hasTried, found, left, told],
  )

  // Both stay the same for as long as the form is there: rows that nobody touches are not drawn again.
  const change = useCallback((next: (draft: OrderDraft) => OrderDraft, pointer?: string) => {
    setDraft(next)
    setFailure(undefined)
    // What the server said of a field holds until the field is changed; of lines, until they move.
    setTold((faults) => faults.filter((each) => pointer !== undefined && each.pointer !== pointer))
  }, [])
  const leave = useCallback((pointer: string) => {
    // Not at once: words that appear below a field move what somebody is just about to click.
    setTimeout(() => setLeft((pointers) => new Set(pointers).add(pointer)), 250)
  }, [])

  /** Nothing more is kept: somebody wants it gone. */
  function discard(): void {
    isDone.current = true
    forgetDraft(storageKey)
  }

  /** True when it was saved; false when something is in the way, which is then shown. */
  async function save(): Promise<boolean> {
    const cleaned = withoutBlankRows(draft)
    const order = toSend(cleaned)
    setDraft(cleaned)
    setTried(true)
    setTold([])
    setFailure(undefined)
    if (rules && faultsIn(rules, order).length > 0) return false
    setSaving(true)
    const words = JSON.stringify(order)
    if (attempt.current?.words !== words) attempt.current = { words, key: newKey() }
    keepDraft(storageKey, { draft: cleaned, base, attempt: attempt.current })
    try {
      const { reference } = await send(order, attempt.current.key)
      isDone.current = true
      forgetDraft(storageKey)
      onSaved(reference)
      return true
    } catch (error) {
      // An answer ends the attempt; where none came, the same one is made again, so that it cannot take effect twice.
      if (error instanceof WaybillError && error.status < 500) attempt.current = undefined
      setTold(error instanceof WaybillError ? (error.problem.errors ?? []) : [])
      setFailure(error)
      return false
    } finally {
      setSaving(false)
    }
  }

  return {
    draft,
    base,
    faults: shown,
    failure,
    isDirty,
    isDone,
    isRestored,
    isSaving,
    change,
    leave,
    discard,
    hideRestored: () => setRestored(false),
    startAgain() {
      discard()
      restart()
    },
    save,
  }
}

// What says the same as the order itself is not worth a word.
function findOther(storageKey: string, initial: OrderDraft): KeptDraft | undefined {
  const kept = findDraft(storageKey)
  return kept && !isSame(kept.draft, initial) ? kept : undefined
}

// Before somebody has tried to save, what is missing is not yet a fault, only what is wrong.
function isWorthSaying({ pointer, detail }: Fault, left: ReadonlySet<string>): boolean {
  return left.has(pointer) && detail !== 'is required'
}

// The rules come in a chunk of their own. Where it cannot be loaded, the server still says what is wrong.
function useRules(): Rules | undefined {
  const [rules, setRules] = useState<Rules>()
  useEffect(() => {
    let isHere = true
    import('./order-validation.js').then(
      (loaded) => isHere && setRules(loaded),
      (error: unknown) => console.warn('The rules of orders could not be loaded; the server will tell.', error),
    )
    return () => {
      isHere = false
    }
  }, [])
  return rules
}
