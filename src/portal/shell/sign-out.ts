import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { api, keepSession } from '../api/client.js'
import { changeSession } from '../api/session.js'
import { paths } from '../paths.js'

/** Ends all sessions of the person, and leaves nothing of theirs behind. */
export function useSignOut(): () => void {
  const router = useRouter()
  const client = useQueryClient()
  const signOut = async () => {
    await api.portal.signOut()
    // Whatever is still under way must not tell that the session has ended: that is known.
    keepSession(undefined)
    await router.navigate({ href: paths.signIn({ out: 'true' }) })
    changeSession(client, null)
  }
  return () => void signOut()
}
