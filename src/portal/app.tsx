import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { Language } from '../contract/portal/people.js'
import { useSessionMaybe } from './api/session.js'
import { loadMessages, type Messages, type Reader, ReaderContext, rememberLanguage } from './i18n/messages.js'
import type { makeRouter } from './router.js'
import { usePreferredTheme } from './shell/color-scheme.js'

type Spoken = { language: Language; messages: Messages }
type Props = { queryClient: QueryClient; router: ReturnType<typeof makeRouter>; start: Spoken }

/** Everything that pages find around them. */
export function App({ queryClient, router, start }: Props) {
  return (
    <QueryClientProvider client={queryClient}>
      <ReaderProvider start={start}>
        <RouterProvider router={router} />
      </ReaderProvider>
    </QueryClientProvider>
  )
}

/** As whoever is signed in wants it; before that, as it was here last. */
function ReaderProvider({ start, children }: { start: Spoken; children: ReactNode }) {
  const preferences = useSessionMaybe()?.preferences
  const [chosen, setChosen] = useState(start.language)
  const [spoken, setSpoken] = useState(start)
  const wanted = preferences?.language ?? chosen
  usePreferredTheme(preferences?.theme)

  useEffect(() => {
    rememberLanguage(wanted)
    let isWanted = true
    // What was said stays until the other language is there.
    void loadMessages(wanted).then((messages) => isWanted && setSpoken({ language: wanted, messages }))
    return () => {
      isWanted = false
    }
  }, [wanted])

  const timeZone = preferences?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const weightUnit = preferences?.weight_unit ?? 'kg'
  const reader = useMemo<Reader>(
    () => ({ ...spoken, timeZone, weightUnit, chooseLanguage: setChosen }),
    [spoken, timeZone, weightUnit],
  )
  return <ReaderContext value={reader}>{children}</ReaderContext>
}
