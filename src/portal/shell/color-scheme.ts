import { useEffect, useSyncExternalStore } from 'react'
import type { Theme } from '../../contract/portal/people.js'

/** Light or dark: as somebody has chosen, or as their system is. This browser remembers it for the next time. */

const key = 'waybill.theme'
const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)')

let chosen = localStorage.getItem(key) as Theme | null
const listeners = new Set<() => void>()

function scheme(): 'light' | 'dark' {
  if (chosen === 'light' || chosen === 'dark') return chosen
  return systemIsDark.matches ? 'dark' : 'light'
}

function show(): void {
  document.documentElement.dataset.mantineColorScheme = scheme()
  for (const listener of listeners) listener()
}

systemIsDark.addEventListener('change', show)

/** Before anything is painted: whoever reads in the dark is not blinded by a white page on the way. */
export const showThemeAtOnce = show

export function useColorScheme(): 'light' | 'dark' {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, scheme)
}

/** What whoever is signed in prefers. */
export function usePreferredTheme(theme: Theme | undefined): void {
  useEffect(() => {
    if (theme === undefined || theme === chosen) return
    chosen = theme
    localStorage.setItem(key, theme)
    show()
  }, [theme])
}
