import { Outlet, useRouter } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { useMessages } from '../../portal/i18n/messages.js'
import { ConnectionNotice } from '../../portal/layout/connection-notice.js'
import styles from '../../portal/layout/layout.module.css'
import { LoadingLine } from '../../portal/layout/loading-line.js'
import { Reauthentication } from '../../portal/layout/reauthentication.js'
import { usePaletteKeys } from '../../ui/palette-keys.js'
import { paths } from '../paths.js'
import { KeyboardHelp } from './keyboard-help.js'
import { useKeys } from './keys.js'
import { Navigation } from './navigation.js'
import { Palette } from './palette.js'
import { OfficePhoneBar } from './phone-bar.js'

/** Navigation, search and keyboard help around the pages of the office. */
export function Layout() {
  const { common } = useMessages()
  const router = useRouter()
  const [opened, setOpened] = useState<'search' | 'help'>()
  const close = () => setOpened(undefined)
  const search = useCallback(() => setOpened('search'), [])
  const help = useCallback(() => setOpened('help'), [])
  usePaletteKeys(search)
  useKeys({ '?': help, b: () => router.history.push(paths.bookings()) })

  return (
    <div className={styles.layout}>
      <a href="#content" className={styles.skip}>
        {common.skipToContent}
      </a>
      <LoadingLine />
      <Navigation onSearch={search} onHelp={help} />
      <main id="content" className={styles.content} tabIndex={-1}>
        <ConnectionNotice />
        <Outlet />
      </main>
      <OfficePhoneBar onSearch={search} />
      <Reauthentication />
      {opened === 'help' && <KeyboardHelp onClose={close} />}
      {opened === 'search' && <Palette onClose={close} />}
    </div>
  )
}
