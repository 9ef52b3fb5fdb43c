import { useIsFetching, useIsMutating } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import styles from './layout.module.css'

/** A thin line at the top while something loads for the first time or is saved. It is shown with a delay. */
export function LoadingLine() {
  const isGoing = useRouterState({ select: ({ isLoading }) => isLoading })
  const fetching = useIsFetching({ predicate: ({ state }) => state.status === 'pending' })
  const saving = useIsMutating()
  return <div className={styles.line} data-shown={isGoing || fetching + saving > 0} aria-hidden="true" />
}
