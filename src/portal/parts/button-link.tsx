import type { AnchorHTMLAttributes, ReactNode } from 'react'
import { AppLink } from './app-link.js'
import styles from './button.module.css'

type Props = AnchorHTMLAttributes<HTMLAnchorElement> & {
  /** From `paths`; with a `target`, of another part of the service. */
  href: string
  variant?: 'filled' | 'default' | 'subtle'
  leftSection?: ReactNode
}

/** A link that looks like a button: it leads to where something is done. */
export function ButtonLink({ variant = 'filled', leftSection, children, ...rest }: Props) {
  const content = (
    <>
      {leftSection}
      <span className="clipped">{children}</span>
    </>
  )
  const look = { className: styles.button, 'data-variant': variant, style: { textDecoration: 'none' } }
  if (rest.target === undefined) {
    return (
      <AppLink {...rest} {...look}>
        {content}
      </AppLink>
    )
  }
  return (
    <a {...rest} {...look}>
      {content}
    </a>
  )
}
