import { useRouter, useRouterState } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { readSearchText, searchText } from '../portal/paths.js'

type Change<Query> = { [Name in keyof Query]?: Query[Name] | undefined }

/**
 * The query parameters of the address, which hold filters, sort and search. `read` parses them, ignoring invalid ones; it
 * must be the same function in every rendering.
 */
export function useAddressQuery<Query extends object>(
  read: (raw: Record<string, string>) => Query,
): [query: Query, change: (change: Change<Query>, options?: { replace?: boolean }) => void] {
  const router = useRouter()
  const text = useRouterState({ select: ({ location }) => location.searchStr })
  const query = useMemo(() => read(readSearchText(text)), [read, text])
  const change = useCallback(
    (changed: Change<Query>, { replace = true } = {}) => {
      const { pathname, search } = router.history.location
      const href = `${pathname}${searchText({ ...readSearchText(search), ...changed })}`
      if (replace) router.history.replace(href)
      else router.history.push(href)
    },
    [router],
  )
  return [query, change]
}
