import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import type { Preferences, Session } from '../../../src/contract/portal/people.js'
import { mayInPortal, type PortalRight } from '../../../src/contract/portal/rights.js'
import { api, isSignedIn, keepSession } from './client.js'

/** Null when signed out. */
export const sessionQuery = queryOptions<Session | null>({
  queryKey: ['session'],
  queryFn: async ({ signal }) => {
    // If the session has ended, the request is refused, which leads to the sign-in page.
    const session = isSignedIn()
      ? await api.portal.getSession({ signal })
      : (await api.portal.findSession({ signal })).session
    keepSession(session)
    return session ?? null
  },
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  retry: false,
})

/** From the cache, or from the server. */
export async function findSession(client: QueryClient): Promise<Session | null> {
  return client.getQueryData(sessionQuery.queryKey) ?? client.fetchQuery({ ...sessionQuery, staleTime: 0 })
}

/** Replaces the session and drops everything cached for the previous one. */
export function changeSession(client: QueryClient, session: Session | null): void {
  const [own] = sessionQuery.queryKey
  // A response about the previous session must not overwrite this one.
  void client.cancelQueries({ queryKey: sessionQuery.queryKey })
  keepSession(session ?? undefined)
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== own })
  client.setQueryData(sessionQuery.queryKey, session)
}

/** Updates the current session; ignored if another one has started since. */
export function showSession(client: QueryClient, session: Session | undefined): void {
  client.setQueryData<Session | null>(sessionQuery.queryKey, (shown) =>
    shown?.csrf_token === session?.csrf_token ? session : shown,
  )
}

/** Optimistic update; returns the session to roll back to. */
export function showPreferences(client: QueryClient, change: Partial<Preferences>): Session | undefined {
  const before = client.getQueryData(sessionQuery.queryKey) ?? undefined
  if (before) showSession(client, { ...before, preferences: { ...before.preferences, ...change } })
  return before
}

/** Only below the `signed-in` route. */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery)
  if (!data) throw new Error('not signed in')
  return data
}

/** For pages that visitors see, too. Sends no request. */
export function useSessionMaybe(): Session | undefined {
  return useQuery({ ...sessionQuery, enabled: false }).data ?? undefined
}

export function useMay(right: PortalRight): boolean {
  const { person, viewer } = useSession()
  // A viewer sees what the user sees; the server refuses every write.
  return mayInPortal(person.role, right) && (right !== 'write' || viewer === undefined)
}
