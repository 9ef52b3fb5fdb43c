import { type InputHTMLAttributes, type ReactNode, useId } from 'react'
import styles from './field.module.css'

type Props = InputHTMLAttributes<HTMLInputElement> & {
  /** Above it; without one, give it an `aria-label`. */
  label?: string
  isSmall?: boolean
  icon?: ReactNode
  /** At its end, such as what clears it. */
  aside?: ReactNode
}

/** A field of the shell and of lists; forms have Mantine's. */
export function Field({ label, isSmall = false, icon, aside, className = '', ...rest }: Props) {
  const id = useId()
  return (
    <div className={`${styles.field} ${className}`} data-small={isSmall}>
      {label && <label htmlFor={id}>{label}</label>}
      <div className={styles.box}>
        {icon && <span className={styles.icon}>{icon}</span>}
        <input id={id} data-icon={icon !== undefined} {...rest} />
        {aside && <span className={styles.aside}>{aside}</span>}
      </div>
    </div>
  )
}
