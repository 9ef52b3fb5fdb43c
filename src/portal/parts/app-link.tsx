import { useRouter } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, MouseEvent } from 'react'

type Props = AnchorHTMLAttributes<HTMLAnchorElement> & {
  /** From `paths`. */
  href: string
  ref?: React.Ref<HTMLAnchorElement>
}

/** A link inside the portal: the browser's own, but without a new page where a plain click is meant. */
export function AppLink({ href, onClick, onMouseEnter, onFocus, ...rest }: Props) {
  const router = useRouter()
  // What will be needed is fetched while the pointer is on its way.
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

/** Whether somebody wants to go there in this tab. */
export function isPlainClick({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey
}
