import { IconFileSpreadsheet } from '@tabler/icons-react'
import { type DragEvent, useRef, useState } from 'react'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import styles from './order-upload.module.css'

type Props = { file: File | undefined; isBusy: boolean; onChoose(file: File): void }

/** Drop zone and file input for a spreadsheet. */
export function SheetField({ file, isBusy, onChoose }: Props) {
  const m = useMessages().orderUpload
  const format = useFormat()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)

  function choose(files: FileList | null): void {
    const chosen = files?.[0]
    if (chosen && !isBusy) onChoose(chosen)
    // So that the same file can be chosen again after it was fixed.
    if (input.current) input.current.value = ''
  }

  function drop(event: DragEvent): void {
    event.preventDefault()
    setOver(false)
    choose(event.dataTransfer.files)
  }

  return (
    <label
      className={styles.dropzone}
      data-over={isOver || undefined}
      data-small={file !== undefined || undefined}
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
        accept=".csv,.tsv,.xlsx,text/csv,text/tab-separated-values,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        disabled={isBusy}
        onChange={(event) => choose(event.currentTarget.files)}
      />
      <IconFileSpreadsheet size={file ? 24 : 36} stroke={1.3} aria-hidden="true" />
      <span>
        <span className={styles.dropTitle}>{file ? file.name : m.drop}</span>
        <span className={styles.dropHint}>{file ? m.chooseAnother(format.bytes(file.size)) : m.dropHint}</span>
      </span>
    </label>
  )
}
