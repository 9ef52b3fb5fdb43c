import './portal.css'
import { QueryClient } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { WaybillError } from '../client/client.js'
import { isSignedIn, onSessionEnd } from './api/client.js'
import { changeSession, sessionQuery } from './api/session.js'
import { App } from './app.js'
import { loadMessages, rememberedLanguage, rememberLanguage } from './i18n/messages.js'
import { paths } from './paths.js'
import { loadPageAtOnce, makeRouter } from './router.js'
import { showThemeAtOnce } from './shell/color-scheme.js'

showThemeAtOnce()

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The stream of changes says when something is out of date; this is for when it does not.
      staleTime: 30_000,
      gcTime: 10 * 60_000,
      // What was refused once is refused again; what was not reached may be.
      // Whether a network is there says little about whether the service is.
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (count, error) => count < 2 && (!(error instanceof WaybillError) || error.status === 503),
    },
    mutations: { networkMode: 'always' },
  },
})
const router = makeRouter(queryClient)

onSessionEnd(() => void leave())

async function leave(): Promise<void> {
  const { href, pathname } = router.history.location
  if (pathname !== paths.signIn()) {
    await router.navigate({ href: paths.signIn({ to: href, ended: 'true' }) })
  }
  // Unless somebody has signed in already.
  if (!isSignedIn()) changeSession(queryClient, null)
}

// All at once: who is signed in, the page, and the words.
void queryClient.prefetchQuery(sessionQuery)
loadPageAtOnce(router)
const language = rememberedLanguage()
rememberLanguage(language)
const messages = await loadMessages(language)

const place = document.getElementById('portal')
if (place) createRoot(place).render(<App queryClient={queryClient} router={router} start={{ language, messages }} />)
