import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import type { Preferences, Session } from '../../contract/portal/people.js'
import { mayInPortal, type PortalRight } from '../../contract/portal/rights.js'
import { api, isSignedIn, keepSession } from './client.js'

/** Null where nobody is signed in. */
export const sessionQuery = queryOptions<Session | null>({
  queryKey: ['session'],
  queryFn: async ({ signal }) => {
    // Whose session has ended meanwhile is refused, and led to sign in again.
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

/** As it is known, or else as the service says. */
export async function findSession(client: QueryClient): Promise<Session | null> {
  return client.getQueryData(sessionQuery.queryKey) ?? client.fetchQuery({ ...sessionQuery, staleTime: 0 })
}

/** Whoever is signed in from now on, or nobody. Nothing of one person is left for the next. */
export function changeSession(client: QueryClient, session: Session | null): void {
  const [own] = sessionQuery.queryKey
  // An answer to who was signed in before must not come after this.
  void client.cancelQueries({ queryKey: sessionQuery.queryKey })
  keepSession(session ?? undefined)
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== own })
  client.setQueryData(sessionQuery.queryKey, session)
}

/** What the service has said of whoever is signed in; nothing, where somebody else is by now. */
export function showSession(client: QueryClient, session: Session | undefined): void {
  client.setQueryData<Session | null>(sessionQuery.queryKey, (shown) =>
    shown?.csrf_token === session?.csrf_token ? session : shown,
  )
}

/** Preferences as they will be, before the service has said so; answers what to go back to where it refuses. */
export function showPreferences(client: QueryClient, change: Partial<Preferences>): Session | undefined {
  const before = client.getQueryData(sessionQuery.queryKey) ?? undefined
  if (before) showSession(client, { ...before, preferences: { ...before.preferences, ...change } })
  return before
}

/** Who is signed in. Only inside the part of the portal that needs somebody. */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery)
  if (!data) throw new Error('nobody is signed in here')
  return data
}

/** The same where there may be nobody: it asks nothing of the service. */
export function useSessionMaybe(): Session | undefined {
  return useQuery({ ...sessionQuery, enabled: false }).data ?? undefined
}

export function useMay(right: PortalRight): boolean {
  return mayInPortal(useSession().person.role, right)
}
