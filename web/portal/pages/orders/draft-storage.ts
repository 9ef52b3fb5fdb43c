import type { OrderDraft } from './order-draft.js'

/** Stores a draft in the browser tab, so that it survives a reload and a new sign-in. */

/** The idempotency key of a save, reused while the body stays the same. */
export type Attempt = { body: string; key: string }

export type StoredDraft = {
  draft: OrderDraft
  /** The initial draft as text, to detect changes by others. */
  base: string
  attempt?: Attempt | undefined
}

export function findDraft(key: string): StoredDraft | undefined {
  try {
    const text = sessionStorage.getItem(key)
    return text === null ? undefined : (JSON.parse(text) as StoredDraft)
  } catch {
    // Without storage the form still works.
    return undefined
  }
}

export function storeDraft(key: string, stored: StoredDraft): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(stored))
  } catch {
    // Storage is full or blocked: the draft stays on the page, and leaving asks.
  }
}

export function removeDraft(key: string): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Nothing was stored.
  }
}
