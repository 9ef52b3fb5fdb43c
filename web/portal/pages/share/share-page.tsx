import { queryOptions, useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { ErrorState, Lines } from '../../../ui/states.js'
import { refusalCodeOf } from '../../api/client.js'
import { getSharedShipment } from '../../api/shared.js'
import { useMessages } from '../../i18n/messages.js'
import { Frame } from '../sign-in/frame.js'
import { SharedView } from './shared-view.js'

/** A shipment for people without an account. The token is in the fragment, which browsers do not send. */
export function SharePage() {
  const { hash: token } = useLocation()
  const { sharing: m, proposals, common } = useMessages()
  const query = sharedQuery(token)
  const found = useQuery(query)
  if (found.error && isGone(found.error)) {
    return (
      <Frame title={proposals.linkGone} lead={proposals.linkGoneText}>
        {null}
      </Frame>
    )
  }
  if (found.data) return <SharedView shared={found.data} query={query} token={token} />
  return (
    <Frame title={found.error ? common.errorTitle : m.pageTitle}>
      {found.error ? <ErrorState error={found.error} retry={() => void found.refetch()} /> : <Lines count={6} />}
    </Frame>
  )
}

/** Live: it is requested again while the page is visible. */
function sharedQuery(token: string) {
  return queryOptions({
    queryKey: ['shared', token],
    queryFn: ({ signal }) => getSharedShipment(token, signal),
    retry: (count, error) => count < 2 && !isGone(error),
    refetchInterval: ({ state: { error } }) => (isGone(error) ? false : 30_000),
  })
}

function isGone(error: unknown): boolean {
  return refusalCodeOf(error) === 'shared_link_not_valid'
}
