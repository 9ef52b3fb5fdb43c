import { useEffect, useSyncExternalStore } from 'react'
import type { Theme } from '../../../src/contract/portal/people.js'

/** Light or dark: the reader's choice, or the system's. Stored in this browser for the next visit. */

const key = 'waybill.theme'
const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)')

let chosen = localStorage.getItem(key) as Theme | null
const listeners = new Set<() => void>()

function scheme(): 'light' | 'dark' {
  if (chosen === 'light' || chosen === 'dark') return chosen
  return systemIsDark.matches ? 'dark' : 'light'
}

function apply(): void {
  document.documentElement.dataset.colorScheme = scheme()
  for (const listener of listeners) listener()
}

systemIsDark.addEventListener('change', apply)

/** Called before the first paint, so that a dark page does not flash white. */
export const applyColorScheme = apply

export function useColorScheme(): 'light' | 'dark' {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, scheme)
}

export function usePreferredTheme(theme: Theme | undefined): void {
  useEffect(() => {
    if (theme === undefined || theme === chosen) return
    chosen = theme
    localStorage.setItem(key, theme)
    apply()
  }, [theme])
}
