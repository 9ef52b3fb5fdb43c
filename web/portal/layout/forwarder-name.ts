import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { signInOptionsQuery } from '../api/queries.js'
import { useProductName } from '../i18n/messages.js'
import { site } from '../site.js'

const key = 'waybill.forwarder'

/** The name of the forwarder whose portal this is. Stored in this browser, so that it does not change while the page loads. */
export function useForwarderName(): string {
  const productName = useProductName()
  const name = useQuery(signInOptionsQuery()).data?.forwarder_name
  useEffect(() => {
    if (name !== undefined) localStorage.setItem(key, name)
  }, [name])
  return site === 'office' ? productName : (name ?? localStorage.getItem(key) ?? productName)
}
