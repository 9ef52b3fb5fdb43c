import { useQueryClient } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { followChanges } from '../api/live.js'
import { useMessages } from '../i18n/messages.js'
import { ConnectionNotice } from './connection-notice.js'
import styles from './layout.module.css'
import { LoadingLine } from './loading-line.js'
import { Navigation } from './navigation.js'
import { PhoneBar } from './phone-bar.js'
import { Reauthentication } from './reauthentication.js'

const Palette = lazy(async () => ({ default: (await import('./palette.js')).Palette }))

/** Navigation, search and notices around the pages of a signed-in person. */
export function Layout() {
  const { common } = useMessages()
  const queryClient = useQueryClient()
  const [isSearching, setSearching] = useState(false)
  const search = useCallback(() => setSearching(true), [])
  usePaletteKeys(search)
  useEffect(() => followChanges(queryClient), [queryClient])

  return (
    <div className={styles.layout}>
      <a href="#content" className={styles.skip}>
        {common.skipToContent}
      </a>
      <LoadingLine />
      <Navigation onSearch={search} />
      <main id="content" className={styles.content} tabIndex={-1}>
        <ConnectionNotice />
        <Outlet />
      </main>
      <PhoneBar onSearch={search} />
      <Reauthentication />
      {isSearching && (
        <Suspense fallback={null}>
          <Palette onClose={() => setSearching(false)} />
        </Suspense>
      )}
    </div>
  )
}

/** ⌘K or Ctrl+K anywhere; `/` outside of fields. */
function usePaletteKeys(open: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isShortcut = event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey) && !event.altKey
      const isSlash = event.key === '/' && !event.metaKey && !event.ctrlKey && !event.altKey && !isTyping(event.target)
      if (!isShortcut && !isSlash) return
      event.preventDefault()
      open()
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [open])
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input, textarea, select, [contenteditable], [role="textbox"]')
}
