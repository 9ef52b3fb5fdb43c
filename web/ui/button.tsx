import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode } from 'react'
import { AppLink } from './app-link.js'
import styles from './button.module.css'

type Look = {
  variant?: 'filled' | 'default' | 'subtle'
  size?: 'xs' | 'sm' | 'md'
  fullWidth?: boolean
  leftSection?: ReactNode
  rightSection?: ReactNode
}

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'color'> & Look & { color?: 'red'; loading?: boolean }

export function Button({
  variant = 'filled',
  size = 'sm',
  fullWidth = false,
  color,
  leftSection,
  rightSection,
  loading = false,
  disabled = false,
  className = '',
  type = 'button',
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={`${styles.button} ${className}`}
      data-variant={variant}
      data-size={size}
      data-full={fullWidth}
      data-color={color}
      data-loading={loading}
      aria-busy={loading || undefined}
      disabled={disabled || loading}
    >
      {leftSection}
      <span className="clipped">{children}</span>
      {rightSection}
    </button>
  )
}

type ButtonLinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & Look & { href: string }

/** A link that looks like a button. With a `target` or `download` it leaves the portal; otherwise `href` is from `paths`. */
export function ButtonLink({
  variant = 'filled',
  size = 'sm',
  fullWidth = false,
  leftSection,
  rightSection,
  children,
  ...rest
}: ButtonLinkProps) {
  const Link = rest.target === undefined && rest.download === undefined ? AppLink : 'a'
  return (
    <Link {...rest} className={styles.button} data-variant={variant} data-size={size} data-full={fullWidth}>
      {leftSection}
      <span className="clipped">{children}</span>
      {rightSection}
    </Link>
  )
}

/** A button inside a sentence, or where a frame would be too much. */
export function TextButton({ className = '', ...rest }: ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button type="button" {...rest} className={`${styles.text} ${className}`} />
}

type IconButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { 'aria-label': string }

/** A button with nothing but an icon in it. */
export function IconButton({ className = '', ...rest }: IconButtonProps) {
  return <button type="button" {...rest} className={`${styles.icon} ${className}`} />
}

type IconLinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { href: string; 'aria-label': string }

/** The same for a file. */
export function IconLink(props: IconLinkProps) {
  return <a {...props} className={styles.icon} />
}
