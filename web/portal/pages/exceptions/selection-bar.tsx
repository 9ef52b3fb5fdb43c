import { useEffect } from 'react'
import { announce } from '../../../ui/announce.js'
import { Button } from '../../../ui/button.js'
import { useMessages } from '../../i18n/messages.js'
import bar from '../documents/documents.module.css'

type Props = { count: number; onClear(): void; onNote(): void; onAcknowledge(): void }

/** What can be done with the selected exceptions, fixed to the lower edge of the window. */
export function SelectionBar({ count, onClear, onNote, onAcknowledge }: Props) {
  const m = useMessages().exceptions
  const text = m.selected(count)
  useEffect(() => {
    if (count > 0) announce(text)
  }, [count, text])
  if (count === 0) return null
  return (
    <div className={bar.selected}>
      <span className={bar.selectedCount}>{text}</span>
      <Button variant="default" onClick={onClear}>
        {m.clearSelection}
      </Button>
      <Button variant="default" onClick={onNote}>
        {m.withNote}
      </Button>
      <Button onClick={onAcknowledge}>{m.acknowledge}</Button>
    </div>
  )
}
