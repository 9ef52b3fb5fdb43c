import { useId } from 'react'
import styles from './segmented-control.module.css'

type Props<Value extends string> = {
  label: string
  isLabelHidden?: boolean
  value: Value
  options: { value: Value; label: string; lang?: string }[]
  onChange: (value: Value) => void
  className?: string | undefined
  /** Parts of a page, underlined as the views of a list are. */
  isTabs?: boolean
}

/** Radio buttons side by side. */
export function SegmentedControl<Value extends string>(props: Props<Value>) {
  const { label, isLabelHidden = false, value, options, onChange, className = '', isTabs = false } = props
  const name = useId()
  return (
    <fieldset className={`${isTabs ? styles.tabs : styles.control} ${className}`}>
      <legend className={isLabelHidden ? 'visually-hidden' : undefined}>{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input type="radio" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
          <span lang={option.lang}>{option.label}</span>
        </label>
      ))}
    </fieldset>
  )
}
