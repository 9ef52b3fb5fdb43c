import { IconChevronDown } from '@tabler/icons-react'
import { type InputHTMLAttributes, type ReactNode, useId } from 'react'
import styles from './field.module.css'

type FrameProps = {
  /** Above the control; without one, give the control an `aria-label`. */
  label?: string | undefined
  description?: ReactNode
  error?: ReactNode
  /** As high as the buttons of the same size. */
  size?: 'xs' | 'sm' | 'md' | undefined
  hasAsterisk?: boolean | undefined
  className?: string | undefined
}

type ControlProps = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined }

/** What fields of every kind share: label, hint and error, tied to the control by its attributes. */
export function FieldFrame({
  label,
  description,
  error,
  size = 'sm',
  hasAsterisk = false,
  className = '',
  children,
}: FrameProps & { children: (control: ControlProps) => ReactNode }) {
  const id = useId()
  const notes = [
    { id: `${id}-hint`, className: styles.hint, text: description },
    { id: `${id}-error`, className: styles.error, text: error },
  ].filter(({ text }) => text !== undefined && text !== '' && text !== false)
  return (
    <div className={`${styles.field} ${className}`} data-size={size}>
      {label && (
        <label id={`${id}-label`} htmlFor={id}>
          {label}
          {hasAsterisk && <Asterisk />}
        </label>
      )}
      {children({
        id,
        'aria-describedby': notes.map((note) => note.id).join(' ') || undefined,
        'aria-invalid': notes.some((note) => note.className === styles.error) || undefined,
      })}
      {notes.map(({ text, ...note }) => (
        <p key={note.id} {...note}>
          {text}
        </p>
      ))}
    </div>
  )
}

export function Asterisk() {
  return (
    <span aria-hidden="true" className={styles.asterisk}>
      {' *'}
    </span>
  )
}

type FieldProps = FrameProps &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'size'> & {
    icon?: ReactNode
    /** At the end of the control: a unit, a button. */
    aside?: ReactNode
  }

/** A line of text, or a date. */
export function Field({ label, description, error, size, hasAsterisk, className, icon, aside, ...rest }: FieldProps) {
  return (
    <FieldFrame {...{ label, description, error, size, hasAsterisk, className }}>
      {(control) => (
        <div className={styles.box}>
          {icon && <span className={styles.icon}>{icon}</span>}
          <input {...control} className={styles.control} data-icon={icon !== undefined} {...rest} />
          {aside && <span className={styles.aside}>{aside}</span>}
        </div>
      )}
    </FieldFrame>
  )
}

type SelectProps<Value extends string> = FrameProps & {
  'aria-label'?: string
  value: Value
  options: { value: Value; label: string }[]
  onChange: (value: Value) => void
}

/** One of a few. Where there are many, `SearchableSelect`. */
export function SelectField<Value extends string>(props: SelectProps<Value>) {
  const { value, options, onChange, 'aria-label': ariaLabel, ...frame } = props
  return (
    <FieldFrame {...frame}>
      {(control) => (
        <div className={styles.box}>
          <select
            {...control}
            aria-label={ariaLabel}
            className={styles.control}
            value={value}
            onChange={(event) => onChange(event.currentTarget.value as Value)}
          >
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <span className={styles.chevron}>
            <IconChevronDown size={16} aria-hidden="true" />
          </span>
        </div>
      )}
    </FieldFrame>
  )
}
