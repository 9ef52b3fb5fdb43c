import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { WaybillError } from '../../../../src/client/response.js'
import type { Fault } from '../../../../src/contract/refusals.js'
import { type Attempt, findDraft, removeDraft, type StoredDraft, storeDraft } from './draft-storage.js'
import {
  dateFaults,
  isSame,
  newKey,
  type OrderDraft,
  type SentOrder,
  serialize,
  withoutBlankRows,
} from './order-draft.js'

export type Rules = typeof import('./order-validation.js')

export type OrderFormOptions = {
  /** Storage key of the draft. */
  storageKey: string
  /** The initial draft. */
  initial: OrderDraft
  toSend(draft: OrderDraft): SentOrder
  faultsIn(rules: Rules, order: SentOrder): Fault[]
  send(order: SentOrder, idempotencyKey: string): Promise<{ reference: string }>
  onSaved(reference: string): void
  /** Starts over with the current order. */
  restart(): void
}

export type OrderForm = ReturnType<typeof useOrderForm>

/** State of the order form: draft, errors and saving. The draft is stored while it is edited. */
export function useOrderForm({ storageKey, initial, toSend, faultsIn, send, onSaved, restart }: OrderFormOptions) {
  const [stored] = useState(() => findChangedDraft(storageKey, initial))
  const [draft, setDraft] = useState(stored?.draft ?? initial)
  const [base] = useState(stored?.base ?? serialize(initial))
  const [isRestored, setRestored] = useState(stored !== undefined)
  const [hasTried, setTried] = useState(false)
  const [blurred, setBlurred] = useState<ReadonlySet<string>>(new Set())
  const [serverFaults, setServerFaults] = useState<Fault[]>([])
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const attempt = useRef<Attempt | undefined>(stored?.attempt)
  const isDone = useRef(false)
  const rules = useRules()

  const isDirty = draft !== initial && !isSame(draft, initial)

  // Storing and validating are deferred, so that typing stays fast in long orders.
  const settled = useDeferredValue(draft)
  const store = useCallback(
    (typed: OrderDraft) => {
      if (typed !== initial && !isDone.current) storeDraft(storageKey, { draft: typed, base, attempt: attempt.current })
    },
    [storageKey, initial, base],
  )
  useEffect(() => store(settled), [store, settled])
  // Stores the latest input when the page is blurred before the deferred update.
  const newest = useRef(draft)
  useEffect(() => {
    newest.current = draft
  }, [draft])
  useEffect(() => {
    const storeNewest = () => store(newest.current)
    window.addEventListener('pagehide', storeNewest)
    return () => {
      window.removeEventListener('pagehide', storeNewest)
      storeNewest()
    }
  }, [store])
  const found = useMemo(
    () => (rules ? [...faultsIn(rules, toSend(settled)), ...dateFaults(settled)] : []),
    [rules, settled, faultsIn, toSend],
  )
  const shown = useMemo(
    () => [...(hasTried ? found : found.filter((each) => isShownEarly(each, blurred))), ...serverFaults],
    [hasTried, found, blurred, serverFaults],
  )

  // Stable callbacks, so that memoized rows are not rendered again.
  const change = useCallback((next: (draft: OrderDraft) => OrderDraft, pointer?: string) => {
    setDraft(next)
    setFailure(undefined)
    // An error by the server is shown until its field changes, or lines are added, removed or moved.
    setServerFaults((faults) => faults.filter((each) => pointer !== undefined && each.pointer !== pointer))
  }, [])
  const leave = useCallback((pointer: string) => {
    // Delayed: an error that appears on blur would move the control that is being clicked.
    setTimeout(() => setBlurred((pointers) => new Set(pointers).add(pointer)), 250)
  }, [])

  function discard(): void {
    isDone.current = true
    removeDraft(storageKey)
  }

  /** False if there are errors, which are then shown. */
  async function save(): Promise<boolean> {
    const cleaned = withoutBlankRows(draft)
    const order = toSend(cleaned)
    setDraft(cleaned)
    setTried(true)
    setServerFaults([])
    setFailure(undefined)
    if (rules && (faultsIn(rules, order).length > 0 || dateFaults(cleaned).length > 0)) return false
    setSaving(true)
    const body = JSON.stringify(order)
    if (attempt.current?.body !== body) attempt.current = { body, key: newKey() }
    storeDraft(storageKey, { draft: cleaned, base, attempt: attempt.current })
    try {
      const { reference } = await send(order, attempt.current.key)
      isDone.current = true
      removeDraft(storageKey)
      onSaved(reference)
      return true
    } catch (error) {
      // Without a response the same idempotency key is used again, so that the order is not saved twice.
      const isRefused = error instanceof WaybillError && error.code !== undefined
      if (isRefused && (error.status ?? 500) < 500) attempt.current = undefined
      setServerFaults(isRefused ? error.errors : [])
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

// A draft equal to the order is not worth restoring.
function findChangedDraft(storageKey: string, initial: OrderDraft): StoredDraft | undefined {
  const stored = findDraft(storageKey)
  return stored && !isSame(stored.draft, initial) ? stored : undefined
}

// Before the first attempt to save, empty fields are not errors.
function isShownEarly({ pointer, detail }: Fault, blurred: ReadonlySet<string>): boolean {
  return blurred.has(pointer) && detail !== 'is required'
}

// Validation is a separate chunk. If it cannot be loaded, the server validates.
function useRules(): Rules | undefined {
  const [rules, setRules] = useState<Rules>()
  useEffect(() => {
    let isHere = true
    import('./order-validation.js').then(
      (loaded) => isHere && setRules(loaded),
      (error: unknown) => console.warn('Order validation could not be loaded; the server validates.', error),
    )
    return () => {
      isHere = false
    }
  }, [])
  return rules
}
