import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { EditedPart, ShipmentPresence } from '../../../../src/contract/operator/presence.js'
import { ops } from '../../api/ops.js'
import { leaveShipment, type ShipmentParams } from '../../api/shipment.js'

/** Renews well within the 12 seconds for which a page counts as open. */
const interval = 3000

/**
 * Who else has the shipment open. The same request reports changes: then everything about the shipment is fetched again, while
 * the page is looked at.
 */
export function usePresence(params: ShipmentParams, editing: EditedPart | undefined): ShipmentPresence['people'] {
  const client = useQueryClient()
  // In memory: a duplicated tab would take over what is stored.
  const [tab] = useState(() => crypto.randomUUID())
  const { account, svc_shipment_id } = params
  const { data } = useQuery({
    queryKey: ['presence', account, svc_shipment_id, tab, editing],
    queryFn: ({ signal }) => ops.getPresence({ params, query: { tab, ...(editing && { editing }) }, signal }),
    refetchInterval: interval,
    // Who looks at another window is still here.
    refetchIntervalInBackground: true,
    retry: false,
    placeholderData: (previous) => previous,
  })

  const known = useRef<number>(undefined)
  const revision = data?.revision
  useEffect(() => {
    const hasChanged = known.current !== undefined && known.current !== revision
    if (revision !== undefined) known.current = revision
    if (hasChanged) void client.invalidateQueries({ queryKey: ['shipment', account, svc_shipment_id] })
  }, [client, account, svc_shipment_id, revision])

  useEffect(() => {
    const leave = () => void leaveShipment({ account, svc_shipment_id }, tab).catch(() => undefined)
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [account, svc_shipment_id, tab])
  return data?.people ?? []
}
