import { type ReactNode, useId } from 'react'
import styles from './section.module.css'

type Props = {
  title: ReactNode
  /** The identifier that links of the page lead to. */
  anchor?: string
  /** Beside the title: a count, a link, a button. */
  aside?: ReactNode
  children?: ReactNode
  /** Without space above, for tables and lists, which have it. */
  isBare?: boolean
}

export function Section({ title, anchor, aside, children, isBare = false }: Props) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={styles.section} id={anchor}>
      <header className={styles.head}>
        <h2 id={id}>{title}</h2>
        {aside !== undefined && <div className={styles.aside}>{aside}</div>}
      </header>
      {isBare ? children : <div className={styles.body}>{children}</div>}
    </section>
  )
}
