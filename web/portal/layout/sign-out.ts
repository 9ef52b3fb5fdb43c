import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { dropDrafts } from '../../ui/use-draft.js'
import { api, keepSession } from '../api/client.js'
import { changeSession } from '../api/session.js'
import { paths } from '../paths.js'

/** Ends this session, and clears the cache and what was typed and not sent. */
export function useSignOut(): () => void {
  const router = useRouter()
  const client = useQueryClient()
  const signOut = async () => {
    await api.portal.signOut()
    dropDrafts()
    // Pending requests must not report an expired session.
    keepSession(undefined)
    await router.navigate({ href: paths.signIn({ out: 'true' }) })
    changeSession(client, null)
  }
  return () => void signOut()
}
