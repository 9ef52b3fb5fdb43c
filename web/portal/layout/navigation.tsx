import { IconLayoutSidebar, IconSearch } from '@tabler/icons-react'
import { useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { AppLink } from '../../ui/app-link.js'
import { useSession } from '../api/session.js'
import { useMessages } from '../i18n/messages.js'
import { paths } from '../paths.js'
import { Bell } from './bell.js'
import { useBranding } from './branding.js'
import { Logo } from './logo.js'
import styles from './navigation.module.css'
import { addressOf, furtherPages, isOpenTo, isWithin, mainPages, type NavPage } from './pages.js'
import { PersonMenu } from './person-menu.js'

const key = 'waybill.navigation'
const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** The sidebar on wide screens. Whether it is collapsed is stored in this browser. */
export function Navigation({ onSearch }: { onSearch: () => void }) {
  const { nav } = useMessages()
  const { name, logo } = useBranding()
  const { person } = useSession()
  const [isNarrow, setNarrow] = useState(() => localStorage.getItem(key) === 'narrow')
  const turn = () => {
    localStorage.setItem(key, isNarrow ? 'wide' : 'narrow')
    setNarrow(!isNarrow)
  }
  const turnLabel = isNarrow ? nav.expand : nav.collapse
  return (
    <nav className={styles.navigation} aria-label={nav.label} data-narrow={isNarrow}>
      <div className={styles.top}>
        <AppLink href={paths.overview()} className={styles.home} aria-label={name} title={name}>
          <Logo picture={logo} />
          <span className={`clipped ${styles.word}`}>{name}</span>
        </AppLink>
        <Bell />
        <button type="button" className={styles.turn} onClick={turn} aria-label={turnLabel} title={turnLabel}>
          <IconLayoutSidebar size={18} stroke={1.6} aria-hidden="true" />
        </button>
      </div>
      <button type="button" className={styles.search} onClick={onSearch} title={nav.searchHint}>
        <IconSearch size={18} stroke={1.7} aria-hidden="true" />
        <span className={styles.word}>{nav.search}</span>
        <kbd className={styles.key}>{isApple ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      <ul className={styles.list}>
        {mainPages.map((page) => (
          <NavItem key={page.name} page={page} />
        ))}
      </ul>
      <ul className={`${styles.list} ${styles.further}`}>
        {furtherPages
          .filter((page) => isOpenTo(person.role, page))
          .map((page) => (
            <NavItem key={page.name} page={page} />
          ))}
      </ul>
      <PersonMenu isNarrow={isNarrow} />
    </nav>
  )
}

function NavItem({ page }: { page: NavPage }) {
  const { nav } = useMessages()
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const isCurrent = isWithin(pathname, page)
  const { Icon, name } = page
  return (
    <li>
      <AppLink
        href={addressOf(page)}
        className={styles.item}
        title={nav[name]}
        aria-current={isCurrent ? 'page' : undefined}
      >
        <Icon size={18} stroke={1.6} aria-hidden="true" />
        <span className={styles.word}>{nav[name]}</span>
      </AppLink>
    </li>
  )
}
