import { IconDots, IconLogout, IconSearch } from '@tabler/icons-react'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useSession } from '../api/session.js'
import { useMessages } from '../i18n/messages.js'
import { AppLink } from '../parts/app-link.js'
import { addressOf, furtherPages, isWithin, mainPages, type NavPage } from './pages.js'
import styles from './phone-bar.module.css'
import { languageNames, languages, themes, usePreferences } from './preferences.js'
import { useSignOut } from './sign-out.js'

const inBar = mainPages.slice(0, 3)
const inSheet = [...mainPages.slice(3), ...furtherPages]

/** On a phone, where the thumb is: what is used every day, and a sheet with the rest. */
export function PhoneBar({ onSearch }: { onSearch: () => void }) {
  const { nav } = useMessages()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <nav className={styles.bar} aria-label={nav.label}>
        {inBar.map((page) => (
          <BarLink key={page.name} page={page} />
        ))}
        <button type="button" className={styles.item} onClick={onSearch}>
          <IconSearch size={22} stroke={1.6} aria-hidden="true" />
          {nav.search}
        </button>
        <button type="button" className={styles.item} onClick={() => setOpen(true)} aria-haspopup="dialog">
          <IconDots size={22} stroke={1.6} aria-hidden="true" />
          {nav.more}
        </button>
      </nav>
      {isOpen && <Sheet onClose={() => setOpen(false)} />}
    </>
  )
}

function BarLink({ page, onClick }: { page: NavPage; onClick?: () => void }) {
  const { nav } = useMessages()
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const { Icon, name } = page
  return (
    <AppLink
      href={addressOf(page)}
      className={styles.item}
      aria-current={isWithin(pathname, page) ? 'page' : undefined}
      onClick={onClick}
    >
      <Icon size={22} stroke={1.6} aria-hidden="true" />
      {nav[name]}
    </AppLink>
  )
}

function Sheet({ onClose }: { onClose: () => void }) {
  const { nav } = useMessages()
  const { person, account, preferences } = useSession()
  const save = usePreferences()
  const signOut = useSignOut()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const close = () => dialog.current?.close()

  return (
    <dialog
      ref={dialog}
      className={styles.sheet}
      aria-label={nav.moreLabel}
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && close()}
    >
      <div className={styles.inner}>
        <p className={styles.who}>
          <span className="strong">{person.name}</span>
          <span className="soft small">{account.name}</span>
        </p>
        <ul className={styles.grid}>
          {inSheet.map((page) => (
            <li key={page.name}>
              <BarLink page={page} onClick={close} />
            </li>
          ))}
        </ul>
        <fieldset className={styles.choice}>
          <legend>{nav.language}</legend>
          {languages.map((language) => (
            <label key={language}>
              <input
                type="radio"
                name="language"
                checked={preferences.language === language}
                onChange={() => save({ language })}
              />
              <span lang={language}>{languageNames[language]}</span>
            </label>
          ))}
        </fieldset>
        <fieldset className={styles.choice}>
          <legend>{nav.theme}</legend>
          {themes.map((theme) => (
            <label key={theme}>
              <input type="radio" name="theme" checked={preferences.theme === theme} onChange={() => save({ theme })} />
              <span>{nav.themes[theme]}</span>
            </label>
          ))}
        </fieldset>
        <button type="button" className={styles.out} onClick={signOut}>
          <IconLogout size={20} stroke={1.6} aria-hidden="true" />
          {nav.signOut}
        </button>
      </div>
    </dialog>
  )
}
