import type { ReactNode } from 'react'
import { Field } from '../../../ui/field.js'

type Props = {
  label: string
  value: string
  onChange(code: string): void
  error?: ReactNode
  description?: string | undefined
  size?: 'md' | undefined
}

/** The six digits of an authenticator app. */
export function CodeField({ label, value, onChange, error, description, size }: Props) {
  return (
    <Field
      label={label}
      description={description}
      value={value}
      size={size}
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={7}
      className="mono"
      error={error}
      onChange={(event) => onChange(event.currentTarget.value.replaceAll(/\D/g, '').slice(0, 6))}
      data-autofocus
    />
  )
}
