import type { OrderDraft } from './order-draft.js'

/** What somebody has typed, kept in the browser's tab: it is there again after a reload, or when they had to sign in anew. */

/** One attempt to save: sent again, it takes effect once. */
export type Attempt = { words: string; key: string }

export type KeptDraft = {
  draft: OrderDraft
  /** The order as it was when they began, in words. */
  base: string
  attempt?: Attempt | undefined
}

export function findDraft(key: string): KeptDraft | undefined {
  try {
    const text = sessionStorage.getItem(key)
    return text === null ? undefined : (JSON.parse(text) as KeptDraft)
  } catch {
    // A browser that keeps nothing still lets people type.
    return undefined
  }
}

export function keepDraft(key: string, kept: KeptDraft): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(kept))
  } catch {
    // Full, or forbidden: what was typed stays on the page, and leaving it asks.
  }
}

export function forgetDraft(key: string): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Nothing was kept.
  }
}
