import type { ButtonHTMLAttributes, ReactNode } from 'react'
import styles from './button.module.css'

/**
 * The buttons of the shell and of lists, with the props of Mantine's: what somebody meets first must not wait for all that
 * forms and dialogs need.
 */

type Look = {
  variant?: 'filled' | 'default' | 'subtle'
  size?: 'xs' | 'sm' | 'md'
  color?: 'red'
}

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'color'> &
  Look & { leftSection?: ReactNode; rightSection?: ReactNode; loading?: boolean }

export function Button({
  variant = 'filled',
  size = 'sm',
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

type IconButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { 'aria-label': string }

/** A button with nothing but an icon in it. */
export function IconButton({ className = '', ...rest }: IconButtonProps) {
  return <button type="button" {...rest} className={`${styles.icon} ${className}`} />
}
