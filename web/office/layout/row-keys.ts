import { useKeys } from './keys.js'

/** `j` and `k` between the rows of the page's table, as the arrow keys; Enter opens a row. */
export function useRowKeys(): void {
  useKeys({ j: () => move('ArrowDown'), k: () => move('ArrowUp') })
}

function move(key: 'ArrowDown' | 'ArrowUp'): void {
  const link = document.querySelector<HTMLElement>('main tr[data-row] a[tabindex="0"]')
  // The first key goes to the row that is active already.
  if (link && document.activeElement?.closest('tr[data-row]') === null) link.focus()
  else link?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
}
