import { IconKeyboard, IconSearch } from '@tabler/icons-react'
import { useRouterState } from '@tanstack/react-router'
import { useMessages, useProductName } from '../../portal/i18n/messages.js'
import { Logo } from '../../portal/layout/logo.js'
import styles from '../../portal/layout/navigation.module.css'
import { PersonMenu } from '../../portal/layout/person-menu.js'
import { AppLink } from '../../ui/app-link.js'
import { useOfficeMessages } from '../i18n/messages.js'
import { paths } from '../paths.js'
import { addressOf, isWithin, type NavPage, pages } from './pages.js'

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

type Props = { onSearch: () => void; onHelp: () => void }

/** The sidebar on wide screens. */
export function Navigation({ onSearch, onHelp }: Props) {
  const { nav } = useMessages()
  const { nav: m } = useOfficeMessages()
  const name = useProductName()
  return (
    <nav className={styles.navigation} aria-label={nav.label}>
      <div className={styles.top}>
        <AppLink href={paths.work()} className={styles.home}>
          <Logo />
          <span className="clipped">{name}</span>
        </AppLink>
      </div>
      <button type="button" className={styles.search} onClick={onSearch} title={nav.searchHint}>
        <IconSearch size={18} stroke={1.7} aria-hidden="true" />
        {nav.search}
        <kbd className={styles.key}>{isApple ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      <ul className={styles.list}>
        {pages.map((page) => (
          <li key={page.name}>
            <NavLink page={page} className={styles.item} size={18} />
          </li>
        ))}
      </ul>
      <button type="button" className={styles.search} onClick={onHelp}>
        <IconKeyboard size={18} stroke={1.7} aria-hidden="true" />
        <span className="clipped">{m.shortcuts}</span>
        <kbd className={styles.key}>?</kbd>
      </button>
      <PersonMenu isNarrow={false} />
    </nav>
  )
}

type LinkProps = { page: NavPage; className: string | undefined; size: number; onClick?: () => void }

export function NavLink({ page, className, size, onClick }: LinkProps) {
  const { nav } = useOfficeMessages()
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const { Icon, name } = page
  return (
    <AppLink
      href={addressOf(page)}
      className={className}
      aria-current={isWithin(pathname, page) ? 'page' : undefined}
      onClick={onClick}
    >
      <Icon size={size} stroke={1.6} aria-hidden="true" />
      {nav[name]}
    </AppLink>
  )
}
