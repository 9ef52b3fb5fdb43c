import { IconChevronDown, IconExternalLink, IconLogout } from '@tabler/icons-react'
import { Menu, MenuChoice, MenuDivider, MenuItem, MenuLink } from '../../ui/menu.js'
import { useSession } from '../api/session.js'
import { useMessages } from '../i18n/messages.js'
import { otherPaths } from '../paths.js'
import styles from './navigation.module.css'
import { languageNames, languages, themes, usePreferences } from './preferences.js'
import { useSignOut } from './sign-out.js'

/** The signed-in person and account, language, theme, sign-out. */
export function PersonMenu({ isNarrow }: { isNarrow: boolean }) {
  const { nav } = useMessages()
  const { person, account, preferences } = useSession()
  const save = usePreferences()
  const signOut = useSignOut()
  return (
    <Menu
      label={nav.personMenu(person.name)}
      side={isNarrow ? 'right' : 'above'}
      trigger={(trigger) => (
        <button
          type="button"
          className={styles.person}
          aria-label={nav.personMenu(`${person.name} ${account.name}`)}
          title={person.name}
          {...trigger}
        >
          {/* Not text content: the accessible name of a button has to contain all of its visible text. */}
          <span className={styles.initials} aria-hidden="true" data-initials={initialsOf(person.name)} />
          <span className={`${styles.word} ${styles.names}`}>
            <span className="clipped">{person.name}</span> <span className="clipped soft small">{account.name}</span>
          </span>
          <IconChevronDown className={styles.word} size={16} aria-hidden="true" />
        </button>
      )}
    >
      <MenuChoice
        label={nav.language}
        value={preferences.language}
        options={languages.map((value) => ({ value, label: languageNames[value], lang: value }))}
        onChange={(language) => save({ language })}
      />
      <MenuDivider />
      <MenuChoice
        label={nav.theme}
        value={preferences.theme}
        options={themes.map((value) => ({ value, label: nav.themes[value] }))}
        onChange={(theme) => save({ theme })}
      />
      <MenuDivider />
      <MenuLink href={otherPaths.reference} target="_blank" icon={<IconExternalLink size={14} aria-hidden="true" />}>
        {nav.apiReference}
      </MenuLink>
      <MenuItem icon={<IconLogout size={16} aria-hidden="true" />} onClick={signOut}>
        {nav.signOut}
      </MenuItem>
    </Menu>
  )
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return ends
    .map((word = '') => String.fromCodePoint(word.codePointAt(0) ?? 0x20))
    .join('')
    .toUpperCase()
}
