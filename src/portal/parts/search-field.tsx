import { IconSearch, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useMessages } from '../i18n/messages.js'
import { IconButton } from './button.js'
import { Field } from './field.js'
import styles from './field.module.css'

type Props = {
  value: string
  /** Told as somebody types, when they pause for 150 ms. */
  onChange: (value: string) => void
  label: string
  placeholder?: string
}

const pause = 150

/** A field that searches as somebody types. What they have typed is theirs: an answer never takes it away. */
export function SearchField({ value, onChange, label, placeholder }: Props) {
  const { common } = useMessages()
  const [typed, setTyped] = useState(value)
  const told = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  // Somebody went back, or chose a saved view: it was not they who typed.
  useEffect(() => {
    if (value !== told.current) {
      told.current = value
      setTyped(value)
    }
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])

  const tell = (text: string) => {
    clearTimeout(timer.current)
    told.current = text.trim()
    onChange(told.current)
  }
  const type = (text: string) => {
    setTyped(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => tell(text), pause)
  }
  const clear = () => {
    setTyped('')
    tell('')
  }

  return (
    <Field
      type="search"
      aria-label={label}
      placeholder={placeholder ?? label}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') tell(typed)
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
