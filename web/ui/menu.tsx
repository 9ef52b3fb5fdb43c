import { IconCheck } from '@tabler/icons-react'
import { type AnchorHTMLAttributes, createContext, type KeyboardEvent, type ReactNode, useContext } from 'react'
import { Popover, type Trigger } from './popover.js'
import styles from './popover.module.css'

/** A menu of actions or choices. Arrow keys move through it, letters jump to the next item that begins with them. */

type Props = {
  trigger: (props: Trigger) => ReactNode
  label: string
  align?: 'start' | 'end'
  side?: 'below' | 'above' | 'right'
  children: ReactNode
}

const CloseContext = createContext<() => void>(() => {})

export function Menu({ children, ...rest }: Props) {
  return (
    <Popover {...rest} role="menu" onKeyDown={moveFocus}>
      {(close) => <CloseContext value={close}>{children}</CloseContext>}
    </Popover>
  )
}

type ItemProps = { icon?: ReactNode; tone?: 'problem'; onClick: () => void; children: ReactNode }

export function MenuItem({ icon, tone, onClick, children }: ItemProps) {
  const close = useContext(CloseContext)
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={styles.item}
      data-tone={tone}
      onClick={() => {
        close()
        onClick()
      }}
    >
      {icon}
      <span className={styles.text}>{children}</span>
    </button>
  )
}

/** A link to a file or out of the portal. */
export function MenuLink({ icon, children, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { icon?: ReactNode }) {
  const close = useContext(CloseContext)
  return (
    <a {...rest} role="menuitem" tabIndex={-1} className={styles.item} onClick={close}>
      <span className={styles.text}>{children}</span>
      {icon}
    </a>
  )
}

type ChoiceProps<Value extends string> = {
  label: string
  value: Value
  options: { value: Value; label: string; lang?: string }[]
  onChange: (value: Value) => void
}

/** One of several values. The menu stays open, so that the effect can be seen. */
export function MenuChoice<Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) {
  return (
    <div role="group" aria-label={label}>
      <div className={styles.label} aria-hidden="true">
        {label}
      </div>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          role="menuitemradio"
          aria-checked={option.value === value}
          tabIndex={-1}
          lang={option.lang}
          className={styles.item}
          onClick={() => onChange(option.value)}
        >
          <span className={styles.check}>{option.value === value && <IconCheck size={16} aria-hidden="true" />}</span>
          <span className={styles.text}>{option.label}</span>
        </button>
      ))}
    </div>
  )
}

export function MenuDivider() {
  return <hr className={styles.divider} style={{ border: 0 }} />
}

function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role^="menuitem"]')]
  const here = items.indexOf(document.activeElement as HTMLElement)
  const around = (index: number) => items[(index + items.length) % items.length]
  const byLetter = () => {
    const after = [...items.slice(here + 1), ...items.slice(0, here + 1)]
    return after.find((item) => item.textContent?.trim().toLowerCase().startsWith(event.key.toLowerCase()))
  }
  const moves: Record<string, () => HTMLElement | undefined> = {
    ArrowDown: () => around(here + 1),
    ArrowUp: () => around(here < 0 ? -1 : here - 1),
    Home: () => items[0],
    End: () => items.at(-1),
  }
  const isLetter = event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey
  const target = moves[event.key]?.() ?? (isLetter ? byLetter() : undefined)
  if (event.key === 'Tab') event.currentTarget.hidePopover()
  if (!target) return
  event.preventDefault()
  target.focus()
}
