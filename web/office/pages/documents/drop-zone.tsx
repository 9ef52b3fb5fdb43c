import { IconCamera, IconUpload } from '@tabler/icons-react'
import { type DragEvent, type RefObject, useState } from 'react'
import styles from '../../../portal/pages/documents/exchange/exchange.module.css'
import { Notice } from '../../../ui/notice.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { maxFileBytes } from './desk.js'

type Props = { input: RefObject<HTMLInputElement | null>; onAdd(files: File[]): void }

/** Takes many files at once: dropped, chosen, or photographed with a phone. */
export function DropZone({ input, onAdd }: Props) {
  const { documents: m } = useOfficeMessages()
  const [isOver, setOver] = useState(false)
  const [tooLarge, setTooLarge] = useState<string[]>([])

  function add(list: FileList | null): void {
    const files = [...(list ?? [])]
    setTooLarge(files.filter(({ size }) => size > maxFileBytes).map(({ name }) => name))
    onAdd(files.filter(({ size }) => size <= maxFileBytes))
  }

  function drop(event: DragEvent): void {
    event.preventDefault()
    setOver(false)
    add(event.dataTransfer.files)
  }

  function choose({ currentTarget }: { currentTarget: HTMLInputElement }): void {
    add(currentTarget.files)
    // So that the same file can be chosen again.
    currentTarget.value = ''
  }

  return (
    <>
      <div className={styles.sources}>
        <label
          className={styles.dropzone}
          data-over={isOver || undefined}
          onDragOver={(event) => {
            event.preventDefault()
            setOver(true)
          }}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
        >
          <input ref={input} type="file" multiple className="visually-hidden" onChange={choose} />
          <IconUpload size={22} stroke={1.5} aria-hidden="true" />
          <span>
            <span className="strong">{m.drop}</span>
            <span className={styles.hint}>{m.dropHint}</span>
          </span>
        </label>
        <label className={styles.camera}>
          <input type="file" accept="image/*" capture="environment" className="visually-hidden" onChange={choose} />
          <IconCamera size={20} stroke={1.5} aria-hidden="true" />
          {m.photo}
        </label>
      </div>
      {tooLarge.length > 0 && (
        <Notice tone="problem" role="alert" title={m.tooLarge(tooLarge.join(', '))}>
          {m.dropHint}
        </Notice>
      )}
    </>
  )
}
