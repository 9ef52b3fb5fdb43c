import { IconDots, IconLogout, IconSearch } from '@tabler/icons-react'
import { useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { useMessages } from '../../portal/i18n/messages.js'
import styles from '../../portal/layout/phone-bar.module.css'
import { useSignOut } from '../../portal/layout/sign-out.js'
import { Modal } from '../../ui/modal.js'
import { useOperator } from '../api/ops.js'
import { NavLink } from './navigation.js'
import { isWithin, type NavPage, pages } from './pages.js'

// What is done on a phone.
const barNames = new Set<NavPage['name']>(['work', 'shipments', 'documents'])
const inBar = pages.filter(({ name }) => barNames.has(name))
const inSheet = pages.filter(({ name }) => !barNames.has(name))

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
          <NavLink key={page.name} page={page} className={styles.item} size={22} />
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
          <IconDots size={22} stroke={1.6} aria-hidden="true" />
          {nav.more}
        </button>
      </nav>
      {isOpen && <Sheet onClose={() => setOpen(false)} />}
    </>
  )
}

function Sheet({ onClose }: { onClose: () => void }) {
  const { nav } = useMessages()
  const { name } = useOperator()
  const signOut = useSignOut()
  return (
    <Modal className={styles.sheet} label={nav.moreLabel} onClose={onClose}>
      {(close) => (
        <div className={styles.inner}>
          <p className="strong">{name}</p>
          <ul className={styles.grid}>
            {inSheet.map((page) => (
              <li key={page.name}>
                <NavLink page={page} className={styles.item} size={22} onClick={close} />
              </li>
            ))}
          </ul>
          <button type="button" className={styles.out} onClick={signOut}>
            <IconLogout size={20} stroke={1.6} aria-hidden="true" />
            {nav.signOut}
          </button>
        </div>
      )}
    </Modal>
  )
}
