import { IconCamera, IconUpload } from '@tabler/icons-react'
import { type DragEvent, useRef, useState } from 'react'
import { maxProposalBytes } from '../../../../../src/contract/public/proposal-limits.js'
import { useMessages } from '../../../i18n/messages.js'
import styles from './exchange.module.css'

type Props = { isBusy: boolean; onChoose(file: File): void; onTooLarge(file: File): void }

const accepted =
  '.pdf,.png,.jpg,.jpeg,.gif,.webp,.tif,.tiff,.heic,.doc,.docx,.xls,.xlsx,.ppt,.pptx,.odt,.ods,.rtf,.txt,.csv,.xml,.json,.edi,.eml,.msg,.zip'

/** Drop zone, file input, and the camera of a phone. */
export function DropField({ isBusy, onChoose, onTooLarge }: Props) {
  const m = useMessages().proposals
  const [isOver, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)

  function choose(files: FileList | null): void {
    const file = files?.[0]
    if (!file || isBusy) return
    if (file.size > maxProposalBytes) onTooLarge(file)
    else onChoose(file)
    // So that the same file can be chosen again.
    if (input.current) input.current.value = ''
  }

  function drop(event: DragEvent): void {
    event.preventDefault()
    setOver(false)
    choose(event.dataTransfer.files)
  }

  return (
    <div className={styles.sources}>
      <label
        className={styles.dropzone}
        data-over={isOver || undefined}
        aria-busy={isBusy || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <input
          ref={input}
          type="file"
          className="visually-hidden"
          accept={accepted}
          disabled={isBusy}
          onChange={(event) => choose(event.currentTarget.files)}
        />
        <IconUpload size={22} stroke={1.5} aria-hidden="true" />
        <span>
          <span className="strong">{isBusy ? m.uploading : m.drop}</span>
          <span className={styles.hint}>{m.dropHint}</span>
        </span>
      </label>
      <label className={styles.camera}>
        <input
          type="file"
          className="visually-hidden"
          accept="image/*"
          capture="environment"
          disabled={isBusy}
          onChange={(event) => choose(event.currentTarget.files)}
        />
        <IconCamera size={20} stroke={1.5} aria-hidden="true" />
        {m.photo}
      </label>
    </div>
  )
}
