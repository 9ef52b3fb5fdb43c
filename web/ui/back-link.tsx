import { IconArrowLeft } from '@tabler/icons-react'
import { useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { AppLink, isPlainClick } from './app-link.js'
import styles from './page.module.css'

type Left = { href: string; index: number | undefined }

// The last address of each list, and its place in the history of this tab.
const lists = new Map<string, Left>()

const indexOf = (state: object): number | undefined => (state as { __TSR_index?: number }).__TSR_index

/** Stores the address of a list, with its filters, for the links back to it. */
export function useListAddress(path: string): void {
  const { href, index } = useRouterState({
    select: ({ location }) => ({ href: location.publicHref, index: indexOf(location.state) }),
    structuralSharing: true,
  })
  useEffect(() => {
    if (new URL(href, window.location.origin).pathname === path) lists.set(path, { href, index })
  }, [path, href, index])
}

/** Leads to a list as it was left. Right after it, the link goes back in the history, which keeps the scroll position. */
export function BackLink({ path, children }: { path: string; children: string }) {
  const router = useRouter()
  const left = lists.get(path)
  return (
    <AppLink
      href={left?.href ?? path}
      className={styles.back}
      onClick={(event) => {
        const isNext = left?.index !== undefined && indexOf(router.history.location.state) === left.index + 1
        if (!isNext || !isPlainClick(event)) return
        event.preventDefault()
        router.history.back()
      }}
    >
      <IconArrowLeft size={16} stroke={1.8} aria-hidden="true" />
      {children}
    </AppLink>
  )
}
