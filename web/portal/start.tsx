import './portal.css'
import { QueryClient } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { isSignedIn, onSessionEnd, refusalCodeOf } from './api/client.js'
import { changeSession, sessionQuery } from './api/session.js'
import { App } from './app.js'
import { loadMessages, storedLanguage, storeLanguage } from './i18n/messages.js'
import { applyBranding } from './layout/branding.js'
import { applyColorScheme } from './layout/color-scheme.js'
import { paths } from './paths.js'

/** Starts the portal or the office: theme, session, texts, and the page of the address. */
export async function start(makeRouter: (queryClient: QueryClient) => AnyRouter): Promise<void> {
  applyColorScheme()
  applyBranding()

  const queryClient = new QueryClient({
    defaultOptions: {
      queries: {
        // The change stream invalidates queries; this covers the time while it is disconnected.
        staleTime: 30_000,
        gcTime: 10 * 60_000,
        // The browser's online state says little about whether the server can be reached.
        networkMode: 'always',
        refetchOnReconnect: true,
        retry: (count, error) => count < 2 && [undefined, 'service_unavailable'].includes(refusalCodeOf(error)),
      },
      mutations: { networkMode: 'always' },
    },
  })
  const router = makeRouter(queryClient)

  async function leave(): Promise<void> {
    const { href, pathname } = router.history.location
    if (pathname !== paths.signIn()) {
      await router.navigate({ href: paths.signIn({ to: href, ended: 'true' }) })
    }
    // Unless someone has signed in since.
    if (!isSignedIn()) changeSession(queryClient, null)
  }
  onSessionEnd(() => void leave())

  // In parallel: session, page and messages.
  void queryClient.prefetchQuery(sessionQuery)
  preloadPage(router)
  const language = storedLanguage()
  storeLanguage(language)
  const messages = await loadMessages(language)

  const place = document.getElementById('portal')
  if (place) createRoot(place).render(<App queryClient={queryClient} router={router} start={{ language, messages }} />)
}

/** Loads the page while the session is being fetched. */
function preloadPage(router: AnyRouter): void {
  const routes: Record<string, { options: { component?: { preload?: () => unknown } } }> = router.routesById
  for (const { routeId } of router.matchRoutes(router.latestLocation)) {
    routes[routeId as string]?.options.component?.preload?.()
  }
}
