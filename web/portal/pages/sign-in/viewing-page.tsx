import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { Lines } from '../../../ui/states.js'
import { api } from '../../api/client.js'
import { useMessages, useProductName } from '../../i18n/messages.js'
import { Frame } from './frame.js'
import { useStartSession } from './start-session.js'

/** The target of a link from the office: one of the forwarder's people sees the portal as a user does. It works once. */
export function ViewingPage() {
  const { hash: token } = useLocation()
  const { viewing: m } = useMessages()
  const productName = useProductName()
  const startSession = useStartSession()
  const { isError } = useQuery({
    queryKey: ['viewing', token],
    async queryFn() {
      await startSession(await api.portal.openViewing({ body: { token } }))
      return null
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  if (isError) {
    return (
      <Frame title={m.invalidTitle}>
        <p>{m.invalidText}</p>
      </Frame>
    )
  }
  return (
    <Frame title={productName}>
      <Lines count={4} />
    </Frame>
  )
}
