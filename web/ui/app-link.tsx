import { useRouter } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, MouseEvent } from 'react'

type Props = AnchorHTMLAttributes<HTMLAnchorElement> & {
  /** From `paths`. */
  href: string
  ref?: React.Ref<HTMLAnchorElement>
}

/** A link inside the portal: a plain click navigates without loading a new document. */
export function AppLink({ href, onClick, onMouseEnter, onFocus, ...rest }: Props) {
  const router = useRouter()
  // Preloads the page on hover and focus.
  const preload = () => void router.preloadRoute({ href } as never).catch(() => undefined)
  return (
    <a
      {...rest}
      href={href}
      onClick={(event) => {
        onClick?.(event)
        if (event.defaultPrevented || !isPlainClick(event) || rest.target) return
        event.preventDefault()
        router.history.push(href)
      }}
      onMouseEnter={(event) => {
        onMouseEnter?.(event)
        preload()
      }}
      onFocus={(event) => {
        onFocus?.(event)
        preload()
      }}
    />
  )
}

/** Whether a click is meant to navigate in this tab. */
export function isPlainClick({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey
}
