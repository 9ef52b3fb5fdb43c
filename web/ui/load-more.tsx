import { useEffect, useRef } from 'react'
import { useMessages } from '../portal/i18n/messages.js'
import { Button } from './button.js'
import styles from './data-table.module.css'

// Requests a page again that failed, or was superseded by a live change.
const retryInterval = 3000

type Props = {
  count: number
  /** Does nothing while a request is under way. */
  loadMore: () => void
}

/** At the end of a list: fetches the next page before it is scrolled to. */
export function LoadMore({ count, loadMore }: Props) {
  const { common } = useMessages()
  const end = useRef<HTMLDivElement>(null)
  const latest = useRef(loadMore)
  useEffect(() => {
    latest.current = loadMore
  })

  // Observes again with every count: an observer reports changes only, and one more page may not fill the window.
  useEffect(() => {
    const element = end.current
    if (!element) return
    let isNear = false
    const observer = new IntersectionObserver(
      (entries) => {
        isNear = entries.at(-1)?.isIntersecting === true
        if (isNear) latest.current()
      },
      { rootMargin: '800px 0px' },
    )
    observer.observe(element)
    const timer = setInterval(() => isNear && latest.current(), retryInterval)
    return () => {
      observer.disconnect()
      clearInterval(timer)
    }
  }, [count])

  return (
    <div ref={end} className={styles.more}>
      <Button variant="subtle" onClick={loadMore}>
        {common.showMore}
      </Button>
    </div>
  )
}
