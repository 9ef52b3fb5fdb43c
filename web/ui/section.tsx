import { type ReactNode, useId } from 'react'
import styles from './section.module.css'

type Props = {
  title: ReactNode
  /** Beside the title: a count, a link, a button. */
  aside?: ReactNode
  children?: ReactNode
  /** Without a panel, for content that has one. */
  isBare?: boolean
}

export function Section({ title, aside, children, isBare = false }: Props) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={styles.section}>
      <header className={styles.head}>
        <h2 id={id}>{title}</h2>
        {aside !== undefined && <div className={styles.aside}>{aside}</div>}
      </header>
      {isBare ? children : <div className={`panel ${styles.body}`}>{children}</div>}
    </section>
  )
}
