import { IconPencil } from '@tabler/icons-react'
import type { EditedPart, ShipmentPresence } from '../../../../src/contract/operator/presence.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import styles from './presence.module.css'

const most = 5

/** Who else has the shipment open, and what they are changing. */
export function PeopleHere({ people }: { people: ShipmentPresence['people'] }) {
  const { file: m } = useOfficeMessages()
  if (people.length === 0) return null
  // Those who change something come first.
  const shown = people.toSorted((one, other) => other.editing.length - one.editing.length)
  const textOf = ({ name, editing }: (typeof people)[number]) =>
    editing.length === 0 ? name : m.isEditing(name, editing.map((part: EditedPart) => m.parts[part]).join(', '))
  return (
    <ul className={styles.people} aria-label={m.alsoHere}>
      {shown.slice(0, most).map((person) => (
        <li key={person.operator_id} title={textOf(person)} data-editing={person.editing.length > 0}>
          <span className={styles.initials} aria-hidden="true">
            {initialsOf(person.name)}
          </span>
          {person.editing.length > 0 ? (
            <span className={styles.text}>
              <IconPencil size={13} aria-hidden="true" /> {textOf(person)}
            </span>
          ) : (
            <span className="visually-hidden">{person.name}</span>
          )}
        </li>
      ))}
      {shown.length > most && (
        <li title={shown.slice(most).map(textOf).join(', ')}>
          <span className={styles.initials}>+{shown.length - most}</span>
        </li>
      )}
    </ul>
  )
}

function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter(Boolean)
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .flatMap((word) => word?.[0]?.toUpperCase() ?? [])
    .join('')
}
