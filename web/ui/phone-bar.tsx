import { IconDots, IconLogout, IconSearch } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useMessages } from '../portal/i18n/messages.js'
import { Modal } from './modal.js'
import styles from './phone-bar.module.css'

type Props = {
  /** Of the main pages, with the class of the bar's items. */
  links: (className: string | undefined) => ReactNode
  /** Of the other pages, each an item of a list. */
  furtherLinks: (className: string | undefined, close: () => void) => ReactNode
  /** Whether one of the other pages is open. */
  isFurther: boolean
  /** On the button that opens the sheet. */
  badge?: ReactNode
  /** Above the links of the sheet: who is signed in. */
  person: ReactNode
  /** Below them. */
  settings?: ReactNode
  onSearch: () => void
  onSignOut: () => void
}

/** The navigation of narrow screens: the main pages at the lower edge, the others in a sheet. */
export function PhoneBar({ links, furtherLinks, isFurther, badge, person, settings, onSearch, onSignOut }: Props) {
  const { nav } = useMessages()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <nav className={styles.bar} aria-label={nav.label}>
        {links(styles.item)}
        <button type="button" className={styles.item} onClick={onSearch}>
          <IconSearch size={22} stroke={1.6} aria-hidden="true" />
          {nav.search}
        </button>
        <button
          type="button"
          className={styles.item}
          onClick={() => setOpen(true)}
          aria-haspopup="dialog"
          aria-current={isFurther ? 'true' : undefined}
        >
          {badge}
          <IconDots size={22} stroke={1.6} aria-hidden="true" />
          {nav.more}
        </button>
      </nav>
      {isOpen && (
        <Modal className={styles.sheet} label={nav.moreLabel} onClose={() => setOpen(false)}>
          {(close) => (
            <div className={styles.inner}>
              <p className={styles.who}>{person}</p>
              <ul className={styles.grid}>{furtherLinks(styles.item, close)}</ul>
              {settings}
              <button type="button" className={styles.out} onClick={onSignOut}>
                <IconLogout size={20} stroke={1.6} aria-hidden="true" />
                {nav.signOut}
              </button>
            </div>
          )}
        </Modal>
      )}
    </>
  )
}
