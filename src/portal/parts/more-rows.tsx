import { useEffect, useRef } from 'react'
import { useMessages } from '../i18n/messages.js'
import { Button } from './button.js'
import styles from './data-table.module.css'

// Something newer may have come in between, or the network was away for a moment.
const again = 3000

type Props = {
  count: number
  /** May be called while it is under way: then it does nothing. */
  loadMore: () => void
}

/** The end of what is there: what comes next is fetched before somebody reaches it. */
export function MoreRows({ count, loadMore }: Props) {
  const { common } = useMessages()
  const end = useRef<HTMLDivElement>(null)
  const ask = useRef(loadMore)
  useEffect(() => {
    ask.current = loadMore
  })

  // Anew with every count: more rows are a reason to look whether that is enough.
  useEffect(() => {
    const element = end.current
    if (!element) return
    let isNear = false
    const observer = new IntersectionObserver(
      (entries) => {
        isNear = entries.at(-1)?.isIntersecting === true
        if (isNear) ask.current()
      },
      { rootMargin: '800px 0px' },
    )
    observer.observe(element)
    const timer = setInterval(() => isNear && ask.current(), again)
    return () => {
      observer.disconnect()
      clearInterval(timer)
    }
  }, [count])

  return (
    <div ref={end} className={styles.more}>
      <Button variant="subtle" size="sm" onClick={loadMore}>
        {common.showMore}
      </Button>
    </div>
  )
}
