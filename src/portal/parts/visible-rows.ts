import { type RefObject, useEffect, useState } from 'react'

/** Of a very long list, only what can be seen is in the page: 20,000 rows feel like 20. */

const fewEnough = 120
const spare = 20
// Not for every pixel: the rows change when a whole step has gone by.
const step = 10

export type Range = { first: number; last: number }

export function useVisibleRows(body: RefObject<HTMLElement | null>, count: number, height: number): Range {
  const [range, setRange] = useState<Range>({ first: 0, last: fewEnough })

  useEffect(() => {
    if (count <= fewEnough) return
    const look = () => {
      const top = body.current?.getBoundingClientRect().top ?? 0
      const first = stepDown(-top / height - spare)
      const last = stepDown((window.innerHeight - top) / height + spare) + step
      setRange((before) => (before.first === first && before.last === last ? before : { first, last }))
    }
    look()
    window.addEventListener('scroll', look, { passive: true })
    window.addEventListener('resize', look)
    return () => {
      window.removeEventListener('scroll', look)
      window.removeEventListener('resize', look)
    }
  }, [body, count, height])

  if (count <= fewEnough) return { first: 0, last: count }
  return { first: Math.min(range.first, count), last: Math.min(range.last, count) }
}

function stepDown(row: number): number {
  return Math.max(0, Math.floor(row / step) * step)
}
