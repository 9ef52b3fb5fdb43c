import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { Session } from '../../../contract/portal/people.js'
import { changeSession } from '../../api/session.js'

/** Somebody has signed in: from here they go to where they wanted to. */
export function useBegin(): (session: Session, to?: string) => Promise<void> {
  const client = useQueryClient()
  const router = useRouter()
  return async (session, to) => {
    changeSession(client, session)
    await router.navigate({ href: ownAddress(to), replace: true })
  }
}

/** Where somebody wanted to go, if that is here: a link from elsewhere must not lead elsewhere. */
export function ownAddress(to: string | undefined): string {
  if (to === undefined || !to.startsWith('/')) return '/'
  const url = new URL(to, window.location.origin)
  return url.origin === window.location.origin ? `${url.pathname}${url.search}${url.hash}` : '/'
}
