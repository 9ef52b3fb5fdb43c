import { type RefObject, useLayoutEffect, useState } from 'react'

/** Whether an element is at least this wide (px): for what style sheets cannot do, such as another order of the content. */
export function useIsWide(element: RefObject<HTMLElement | null>, width: number): boolean {
  const [isWide, setWide] = useState(false)
  useLayoutEffect(() => {
    const { current } = element
    if (!current) return
    const compare = () => setWide(current.clientWidth >= width)
    compare()
    const observer = new ResizeObserver(compare)
    observer.observe(current)
    return () => observer.disconnect()
  }, [element, width])
  return isWide
}
