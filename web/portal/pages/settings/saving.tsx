import { IconCheck } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { PortalBody } from '../../../../src/contract/portal/operations.js'
import { announce } from '../../../ui/announce.js'
import { api, faultsByPointer } from '../../api/client.js'
import { showPreferences, showSession } from '../../api/session.js'
import { useMessages } from '../../i18n/messages.js'
import styles from './settings.module.css'

type Change = PortalBody<'updatePerson'>

/** Saves the profile and preferences, optimistically. */
export function useSaving() {
  const { settings } = useMessages()
  const client = useQueryClient()
  const { mutate, isPending, error, submittedAt, isSuccess } = useMutation({
    mutationFn: (change: Change) => api.portal.updatePerson({ body: change }),
    onMutate: ({ name: _name, ...preferences }) => showPreferences(client, preferences),
    onSuccess(session) {
      showSession(client, session)
      // Today, and so which invoices are due, depends on the time zone.
      void client.invalidateQueries({ queryKey: ['overview'] })
      void client.invalidateQueries({ queryKey: ['people'] })
      announce(settings.saved)
    },
    onError: (_error, _change, before) => showSession(client, before),
  })
  return {
    save: mutate,
    isPending,
    error,
    faults: faultsByPointer(error),
    savedAt: isSuccess ? submittedAt : undefined,
  }
}

const shownFor = 3000

/** Shows for a moment that it was saved. */
export function Saved({ at }: { at: number | undefined }) {
  const { settings } = useMessages()
  const [seen, setSeen] = useState<number>()
  useEffect(() => {
    if (at === undefined) return
    const timer = setTimeout(() => setSeen(at), shownFor)
    return () => clearTimeout(timer)
  }, [at])
  if (at === undefined || at === seen) return null
  return (
    <span className={styles.saved}>
      <IconCheck size={14} aria-hidden="true" />
      {settings.saved}
    </span>
  )
}
