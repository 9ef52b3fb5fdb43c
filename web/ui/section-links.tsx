import { type MouseEvent, useEffect, useState } from 'react'
import { isPlainClick } from './app-link.js'
import styles from './section-links.module.css'

type Props = { label: string; sections: { anchor: string; name: string }[] }

/** Links to the sections of a long page. They stay in sight, and the one that is read is marked. */
export function SectionLinks({ label, sections }: Props) {
  const current = useCurrentSection(sections.map(({ anchor }) => anchor).join(' '))
  return (
    <nav aria-label={label} className={styles.links}>
      {sections.map(({ anchor, name }) => (
        <a
          key={anchor}
          href={`#${anchor}`}
          className={styles.link}
          aria-current={anchor === current ? 'location' : undefined}
          onClick={(event) => goTo(event, anchor)}
        >
          {name}
        </a>
      ))}
    </nav>
  )
}

// Not by the address: it would add an entry to the history for every section.
function goTo(event: MouseEvent, anchor: string): void {
  const section = document.getElementById(anchor)
  if (!section || !isPlainClick(event)) return
  event.preventDefault()
  section.scrollIntoView({ block: 'start' })
  section.tabIndex = -1
  section.focus({ preventScroll: true })
}

/** The last section whose beginning has passed the upper third of the window. */
function useCurrentSection(anchors: string): string | undefined {
  const [current, setCurrent] = useState<string>()
  useEffect(() => {
    const find = () => {
      const passed = anchors
        .split(' ')
        .flatMap((anchor) => ({ anchor, top: document.getElementById(anchor)?.getBoundingClientRect().top }))
        .filter(({ top }) => top !== undefined && top < window.innerHeight / 3)
        .toSorted((one, other) => (one.top ?? 0) - (other.top ?? 0))
      setCurrent(passed.at(-1)?.anchor)
    }
    find()
    window.addEventListener('scroll', find, { passive: true })
    return () => window.removeEventListener('scroll', find)
  }, [anchors])
  return current
}
