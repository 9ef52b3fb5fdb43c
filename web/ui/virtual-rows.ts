import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useState } from 'react'

// Up to here every row is rendered, so that the browser's own search finds all of them.
const renderedWhole = 120
const overscan = 20

type Rows = { body: RefObject<HTMLElement | null>; count: number; rowHeight: number; headHeight: number }

/** Of a long table that scrolls with the window, the rows that are rendered: `first` to `last`, exclusive. */
export function useVirtualRows({ body, count, rowHeight, headHeight }: Rows) {
  const scrollMargin = useTop(body)
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => rowHeight,
    overscan: count <= renderedWhole ? count : overscan,
    scrollMargin,
    // The sticky head covers this much.
    scrollPaddingStart: headHeight,
    // So that the first rendering has rows, and the router can restore the scroll position.
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    useFlushSync: false,
  })
  const items = virtualizer.getVirtualItems()
  return {
    first: items[0]?.index ?? 0,
    last: (items.at(-1)?.index ?? -1) + 1,
    scrollToRow: (index: number) => virtualizer.scrollToIndex(index),
  }
}

/** The distance of an element from the top of the document, which changes with what stands above it. */
function useTop(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measure = () => setTop(Math.round((element.current?.getBoundingClientRect().top ?? 0) + window.scrollY))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [element])
  return top
}
