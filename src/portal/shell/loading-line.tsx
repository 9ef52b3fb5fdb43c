import { useIsFetching, useIsMutating } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import styles from './shell.module.css'

/** A thin line on top while something is on its way that is not there yet. It waits a moment before it shows. */
export function LoadingLine() {
  const isGoing = useRouterState({ select: ({ isLoading }) => isLoading })
  const fetching = useIsFetching({ predicate: ({ state }) => state.status === 'pending' })
  const saving = useIsMutating()
  return <div className={styles.line} data-shown={isGoing || fetching + saving > 0} aria-hidden="true" />
}
