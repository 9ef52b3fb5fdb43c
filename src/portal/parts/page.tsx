import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useMessages } from '../i18n/messages.js'
import styles from './page.module.css'

type Props = {
  title: ReactNode
  /** What the browser's tab says, where the title is not plain text. */
  documentTitle?: string
  /** The one sentence that a person would say. */
  lead?: ReactNode
  actions?: ReactNode
  isLoading?: boolean
  children?: ReactNode
}

// Whoever opens the portal has the focus where the browser puts it; whoever goes on inside it, on the new heading.
let hasNavigated = false

/** A page: its heading, its first sentence, what can be done, and the rest. */
export function Page({ title, documentTitle, lead, actions, isLoading = false, children }: Props) {
  const { productName } = useMessages().common
  const heading = useRef<HTMLHeadingElement>(null)
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const told = documentTitle ?? (typeof title === 'string' ? title : undefined)

  useEffect(() => {
    document.title = told === undefined ? productName : `${told} · ${productName}`
  }, [told, productName])

  useEffect(() => {
    const isTyping = document.activeElement?.matches('input, textarea, select, [contenteditable]')
    if (hasNavigated && !isTyping) heading.current?.focus({ preventScroll: true })
    hasNavigated = true
  }, [pathname])

  return (
    <div className={styles.page} aria-busy={isLoading}>
      <header className={styles.head}>
        <div className={styles.words}>
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
