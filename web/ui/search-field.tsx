import { IconSearch, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useMessages } from '../portal/i18n/messages.js'
import { IconButton } from './button.js'
import { Field } from './field.js'
import styles from './field.module.css'

type Props = {
  value: string
  /** Debounced by 150 ms. */
  onChange: (value: string) => void
  label: string
  placeholder?: string
}

const debounce = 150

/** Searches while typing. A response never overwrites what is being typed. */
export function SearchField({ value, onChange, label, placeholder }: Props) {
  const { common } = useMessages()
  const [typed, setTyped] = useState(value)
  const reported = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  // Changed from outside: by the back button or a saved view.
  useEffect(() => {
    if (value !== reported.current) {
      reported.current = value
      setTyped(value)
    }
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])

  const report = (text: string) => {
    clearTimeout(timer.current)
    reported.current = text.trim()
    onChange(reported.current)
  }
  const onType = (text: string) => {
    setTyped(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => report(text), debounce)
  }
  const clear = () => {
    setTyped('')
    report('')
  }

  return (
    <Field
      type="search"
      aria-label={label}
      placeholder={placeholder ?? label}
      value={typed}
      onChange={(event) => onType(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') report(typed)
        if (event.key === 'Escape' && typed !== '') {
          event.stopPropagation()
          clear()
        }
      }}
      icon={<IconSearch size={16} stroke={1.8} aria-hidden="true" />}
      aside={
        typed !== '' && (
          <IconButton aria-label={common.clearSearch} title={common.clearSearch} onClick={clear}>
            <IconX size={16} aria-hidden="true" />
          </IconButton>
        )
      }
      autoComplete="off"
      spellCheck={false}
      className={styles.search}
    />
  )
}
