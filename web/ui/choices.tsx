import { type InputHTMLAttributes, type ReactNode, useId } from 'react'
import styles from './choices.module.css'
import field from './field.module.css'

/** The browser's own checkboxes and radio buttons, with their labels, hints and errors. */

type OptionProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> & {
  label: ReactNode
  description?: ReactNode
  error?: ReactNode
}

export function Checkbox(props: OptionProps) {
  return <Option type="checkbox" {...props} />
}

function Option({ type, label, description, error, lang, ...rest }: OptionProps & { type: 'checkbox' | 'radio' }) {
  const id = useId()
  const isInvalid = error !== undefined
  const notes = [description !== undefined && `${id}-hint`, isInvalid && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={styles.option}>
      <input
        {...rest}
        id={id}
        type={type}
        aria-describedby={notes || undefined}
        aria-invalid={isInvalid || undefined}
      />
      <div>
        <label htmlFor={id} lang={lang}>
          {label}
        </label>
        {description !== undefined && (
          <p id={`${id}-hint`} className={field.hint}>
            {description}
          </p>
        )}
        {isInvalid && (
          <p id={`${id}-error`} className={field.error}>
            {error}
          </p>
        )}
      </div>
    </div>
  )
}

/** A checkbox with a label for screen readers only: its row or heading shows what it is about. */
export function RowCheckbox({
  label,
  isPartial = false,
  ...rest
}: Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> & { label: string; isPartial?: boolean }) {
  return (
    <input
      {...rest}
      ref={(input) => {
        if (input) input.indeterminate = isPartial
      }}
      type="checkbox"
      aria-label={label}
    />
  )
}

type Choice<Value extends string> = { value: Value; label: string; description?: string; lang?: string }

type GroupProps<Value extends string> = {
  label: string
  description?: string | undefined
  error?: string | undefined
  options: Choice<Value>[]
  /** Below each other. */
  isStacked?: boolean
}

type RadioProps<Value extends string> = GroupProps<Value> & { value: Value; onChange: (value: Value) => void }

export function RadioGroup<Value extends string>({ value, onChange, ...group }: RadioProps<Value>) {
  const name = useId()
  return (
    <Group role="radiogroup" {...group}>
      {(option) => (
        <Option
          key={option.value}
          {...option}
          type="radio"
          name={name}
          checked={option.value === value}
          onChange={() => onChange(option.value)}
        />
      )}
    </Group>
  )
}

type CheckboxesProps<Value extends string> = GroupProps<Value> & {
  value: Value[]
  onChange: (value: Value[]) => void
}

export function CheckboxGroup<Value extends string>({ value, onChange, ...group }: CheckboxesProps<Value>) {
  return (
    <Group role="group" {...group}>
      {(option) => (
        <Option
          key={option.value}
          {...option}
          type="checkbox"
          checked={value.includes(option.value)}
          onChange={({ currentTarget: { checked } }) =>
            onChange(checked ? [...value, option.value] : value.filter((other) => other !== option.value))
          }
        />
      )}
    </Group>
  )
}

type GroupFrameProps<Value extends string> = GroupProps<Value> & {
  role: 'group' | 'radiogroup'
  children: (option: Choice<Value>) => ReactNode
}

function Group<Value extends string>(props: GroupFrameProps<Value>) {
  const { role, label, description, error, options, isStacked = false, children } = props
  const id = useId()
  const notes = [description && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div role={role} aria-labelledby={id} aria-describedby={notes || undefined} className={styles.group}>
      <p id={id} className={field.legend}>
        {label}
      </p>
      <div className={styles.options} data-stacked={isStacked}>
        {options.map(children)}
      </div>
      {description && (
        <p id={`${id}-hint`} className={field.hint}>
          {description}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={field.error}>
          {error}
        </p>
      )}
    </div>
  )
}
