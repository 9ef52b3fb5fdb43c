import { useMessages } from '../../i18n/messages.js'
import styles from './exceptions.module.css'

/** The keys of the list, where there is a keyboard. */
export function KeyHints() {
  const m = useMessages().exceptions
  const keys = [
    ['j', m.keys.next],
    ['k', m.keys.previous],
    ['x', m.keys.select],
    ['e', m.keys.acknowledge],
    ['↵', m.keys.open],
  ] as const
  return (
    <ul className={`small soft ${styles.keys}`} aria-label={m.keysLabel}>
      {keys.map(([key, what]) => (
        <li key={key}>
          <kbd>{key}</kbd> {what}
        </li>
      ))}
    </ul>
  )
}
