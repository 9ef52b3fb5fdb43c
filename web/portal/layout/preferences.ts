import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Language, Preferences, Theme } from '../../../src/contract/portal/people.js'
import { api } from '../api/client.js'
import { showPreferences, showSession } from '../api/session.js'

/** Preferences of the signed-in person, updated optimistically. */

export const languageNames: Record<Language, string> = { en: 'English', fr: 'Français' }
export const languages = Object.keys(languageNames) as Language[]
export const themes: Theme[] = ['system', 'light', 'dark']

export function usePreferences(): (change: Partial<Preferences>) => void {
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: (change: Partial<Preferences>) => api.portal.updatePerson({ body: change }),
    onMutate: (change) => showPreferences(client, change),
    onSuccess: (session) => showSession(client, session),
    onError: (_error, _change, before) => showSession(client, before),
  })
  return mutate
}
