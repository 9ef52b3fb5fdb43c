import { useState } from 'react'
import { type DocumentType, documentTypes } from '../../../../../src/contract/public/document-types.js'
import { SelectField } from '../../../../ui/field.js'
import { ErrorNotice, Notice } from '../../../../ui/notice.js'
import { useMessages } from '../../../i18n/messages.js'
import { DropField } from './drop-field.js'
import styles from './exchange.module.css'

type Props = {
  /** Suggested first. */
  wanted: DocumentType[]
  /** Resolves when the file was sent. */
  send(file: File, type: DocumentType | undefined): Promise<unknown>
}

/** Uploads one file at a time, with the type that it is. */
export function UploadField({ wanted, send }: Props) {
  const { proposals: m, statuses } = useMessages()
  const [type, setType] = useState<DocumentType | ''>('')
  const [state, setState] = useState<{ isBusy: boolean; sent?: string; tooLarge?: string; error?: unknown }>({
    isBusy: false,
  })
  const others = documentTypes
    .filter((each) => !wanted.includes(each))
    .toSorted((one, other) => statuses.documentType[one].localeCompare(statuses.documentType[other]))

  async function upload(file: File): Promise<void> {
    setState({ isBusy: true })
    try {
      await send(file, type === '' ? undefined : type)
      setState({ isBusy: false, sent: file.name })
      setType('')
    } catch (error) {
      setState({ isBusy: false, error })
    }
  }

  return (
    <div className={styles.exchange}>
      <div className={styles.upload}>
        <SelectField
          label={m.type}
          value={type}
          options={[
            { value: '', label: m.noType },
            ...[...wanted, ...others].map((each) => ({ value: each, label: statuses.documentType[each] })),
          ]}
          onChange={setType}
        />
        <DropField
          isBusy={state.isBusy}
          onChoose={(file) => void upload(file)}
          onTooLarge={({ name }) => setState({ isBusy: false, tooLarge: name })}
        />
      </div>
      {state.sent !== undefined && (
        <Notice tone="done" role="status" title={m.sent(state.sent)}>
          {m.sentText}
        </Notice>
      )}
      {state.tooLarge !== undefined && (
        <Notice tone="problem" role="alert" title={m.tooLarge(state.tooLarge)}>
          {m.dropHint}
        </Notice>
      )}
      {state.error !== undefined && <ErrorNotice error={state.error} />}
    </div>
  )
}
