import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { Session } from '../../../../src/contract/portal/people.js'
import { changeSession } from '../../api/session.js'
import { paths } from '../../paths.js'

/** Starts a session and goes to the requested page. */
export function useStartSession(): (session: Session, to?: string) => Promise<void> {
  const client = useQueryClient()
  const router = useRouter()
  return async (session, to) => {
    changeSession(client, session)
    await router.navigate({ href: ownAddress(to), replace: true })
  }
}

/** Prevents open redirects: only addresses of this origin. */
export function ownAddress(to: string | undefined): string {
  if (to === undefined || !to.startsWith('/')) return paths.home()
  const url = new URL(to, window.location.origin)
  return url.origin === window.location.origin ? `${url.pathname}${url.search}${url.hash}` : paths.home()
}
