import { useQueryClient } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { usePaletteKeys } from '../../ui/palette-keys.js'
import { followChanges } from '../api/live.js'
import { useSession } from '../api/session.js'
import { useMessages } from '../i18n/messages.js'
import { ConnectionNotice } from './connection-notice.js'
import styles from './layout.module.css'
import { LoadingLine } from './loading-line.js'
import { Navigation } from './navigation.js'
import { PortalPhoneBar } from './phone-bar.js'
import { Reauthentication } from './reauthentication.js'
import { ViewingBar } from './viewing-bar.js'

const TimeBar = lazy(async () => ({ default: (await import('./time-bar.js')).TimeBar }))
const loadPalette = () => import('./palette.js')
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }))

// After the page itself, so that what is typed right after `/` is not lost while the search loads (ms).
const paletteDelay = 1000

/** Navigation, search and notices around the pages of a signed-in person. */
export function Layout() {
  const { common } = useMessages()
  const { signed_in_with } = useSession()
  const queryClient = useQueryClient()
  const [isSearching, setSearching] = useState(false)
  const search = useCallback(() => setSearching(true), [])
  usePaletteKeys(search)
  useEffect(() => followChanges(queryClient), [queryClient])
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette().catch(() => {}), paletteDelay)
    return () => clearTimeout(timer)
  }, [])

  return (
    <div className={styles.layout}>
      <a href="#content" className={styles.skip}>
        {common.skipToContent}
      </a>
      <LoadingLine />
      <Navigation onSearch={search} />
      <main id="content" className={styles.content} tabIndex={-1}>
        {signed_in_with === 'demo' && (
          <Suspense fallback={null}>
            <TimeBar />
          </Suspense>
        )}
        <ViewingBar />
        <ConnectionNotice />
        <Outlet />
      </main>
      <PortalPhoneBar onSearch={search} />
      <Reauthentication />
      {isSearching && (
        <Suspense fallback={null}>
          <Palette onClose={() => setSearching(false)} />
        </Suspense>
      )}
    </div>
  )
}
