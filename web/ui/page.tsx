import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useProductName } from '../portal/i18n/messages.js'
import styles from './page.module.css'

type Props = {
  title: ReactNode
  /** The title of the browser tab, if `title` is not plain text. */
  documentTitle?: string
  /** One sentence on the state of the record. */
  lead?: ReactNode
  actions?: ReactNode
  /** Above the title: the link to the list that the page belongs to. */
  back?: ReactNode
  isLoading?: boolean
  children?: ReactNode
}

// The first page keeps the browser's focus; after a navigation the new heading gets it.
let hasNavigated = false

/** Heading, first sentence, actions and content of a page. */
export function Page({ title, documentTitle, lead, actions, back, isLoading = false, children }: Props) {
  const productName = useProductName()
  const heading = useRef<HTMLHeadingElement>(null)
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const tabTitle = documentTitle ?? (typeof title === 'string' ? title : undefined)

  useEffect(() => {
    document.title = tabTitle === undefined ? productName : `${tabTitle} · ${productName}`
  }, [tabTitle, productName])

  useEffect(() => {
    const isTyping = document.activeElement?.matches('input, textarea, select, [contenteditable]')
    if (hasNavigated && !isTyping) heading.current?.focus({ preventScroll: true })
    hasNavigated = true
  }, [pathname])

  return (
    <div className={styles.page} aria-busy={isLoading}>
      {back}
      <header className={styles.head}>
        <div className={styles.text}>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead !== undefined && lead !== null && <p className={styles.lead}>{lead}</p>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  )
}
