import { IconDots, IconLogout, IconSearch } from '@tabler/icons-react'
import { useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { AppLink } from '../../ui/app-link.js'
import { Modal } from '../../ui/modal.js'
import { SegmentedControl } from '../../ui/segmented-control.js'
import { useSession } from '../api/session.js'
import { useMessages } from '../i18n/messages.js'
import { UnreadBadge } from './bell.js'
import { addressOf, bellPage, furtherPages, isOpenTo, isWithin, mainPages, type NavPage } from './pages.js'
import styles from './phone-bar.module.css'
import { languageNames, languages, themes, usePreferences } from './preferences.js'
import { useSignOut } from './sign-out.js'

const barNames = new Set<NavPage['name']>(['overview', 'exceptions', 'shipments'])
const inBar = mainPages.filter(({ name }) => barNames.has(name))
const inSheet = [bellPage, ...mainPages.filter((page) => !inBar.includes(page)), ...furtherPages]

/** The navigation of narrow screens: the main pages at the lower edge, the others in a sheet. */
export function PhoneBar({ onSearch }: { onSearch: () => void }) {
  const { nav } = useMessages()
  const [isOpen, setOpen] = useState(false)
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const isInSheet = inSheet.some((page) => isWithin(pathname, page))
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
        <button
          type="button"
          className={styles.item}
          onClick={() => setOpen(true)}
          aria-haspopup="dialog"
          aria-current={isInSheet ? 'true' : undefined}
        >
          <UnreadBadge />
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
      {page === bellPage && <UnreadBadge />}
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
  return (
    <Modal className={styles.sheet} label={nav.moreLabel} onClose={onClose}>
      {(close) => (
        <div className={styles.inner}>
          <p className={styles.who}>
            <span className="strong">{person.name}</span>
            <span className="soft small">{account.name}</span>
          </p>
          <ul className={styles.grid}>
            {inSheet
              .filter((page) => isOpenTo(person.role, page))
              .map((page) => (
                <li key={page.name}>
                  <BarLink page={page} onClick={close} />
                </li>
              ))}
          </ul>
          <SegmentedControl
            label={nav.language}
            value={preferences.language}
            options={languages.map((value) => ({ value, label: languageNames[value], lang: value }))}
            onChange={(language) => save({ language })}
          />
          <SegmentedControl
            label={nav.theme}
            value={preferences.theme}
            options={themes.map((value) => ({ value, label: nav.themes[value] }))}
            onChange={(theme) => save({ theme })}
          />
          <button type="button" className={styles.out} onClick={signOut}>
            <IconLogout size={20} stroke={1.6} aria-hidden="true" />
            {nav.signOut}
          </button>
        </div>
      )}
    </Modal>
  )
}
