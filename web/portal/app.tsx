import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type AnyRouter, RouterProvider } from '@tanstack/react-router'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { Language } from '../../src/contract/portal/people.js'
import { useSessionMaybe } from './api/session.js'
import { loadMessages, type Messages, type Reader, ReaderContext, storeLanguage } from './i18n/messages.js'
import { usePreferredTheme } from './layout/color-scheme.js'

type Translation = { language: Language; messages: Messages }
type Props = { queryClient: QueryClient; router: AnyRouter; start: Translation }

/** The providers around all pages. */
export function App({ queryClient, router, start }: Props) {
  return (
    <QueryClientProvider client={queryClient}>
      <ReaderProvider start={start}>
        <RouterProvider router={router} />
      </ReaderProvider>
    </QueryClientProvider>
  )
}

/** Uses the preferences of the signed-in person, or else the language this browser used last. */
function ReaderProvider({ start, children }: { start: Translation; children: ReactNode }) {
  const preferences = useSessionMaybe()?.preferences
  const [chosen, setChosen] = useState(start.language)
  const [current, setCurrent] = useState(start)
  const language = preferences?.language ?? chosen
  usePreferredTheme(preferences?.theme)

  useEffect(() => {
    storeLanguage(language)
    let isCurrent = true
    // The current language stays until the other one has loaded.
    void loadMessages(language).then((messages) => isCurrent && setCurrent({ language, messages }))
    return () => {
      isCurrent = false
    }
  }, [language])

  const timeZone = preferences?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const weightUnit = preferences?.weight_unit ?? 'kg'
  const reader = useMemo<Reader>(
    () => ({ ...current, timeZone, weightUnit, chooseLanguage: setChosen }),
    [current, timeZone, weightUnit],
  )
  return <ReaderContext value={reader}>{children}</ReaderContext>
}
