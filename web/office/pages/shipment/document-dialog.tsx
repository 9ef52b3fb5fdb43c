import { type FormEvent, useState } from 'react'
import type { DocumentVersion } from '../../../../src/contract/operator/documents.js'
import { type DocumentType, documentTypes } from '../../../../src/contract/public/document-types.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import { Button } from '../../../ui/button.js'
import { Dialog, DialogActions } from '../../../ui/dialog.js'
import { Field, SelectField } from '../../../ui/field.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { useDraft } from '../../../ui/use-draft.js'
import actionStyles from '../../actions/actions.module.css'
import { useActions } from '../../actions/use-actions.js'
import { ops } from '../../api/ops.js'
import { replaceDocument } from '../../api/shipment.js'
import { useOfficeMessages } from '../../i18n/messages.js'

type Props = { account: string; version: DocumentVersion; onClose: () => void }

/** Renames a document, gives it another type, or replaces its content; the history keeps the content before. */
export function DocumentDialog({ account, version: { id, record }, onClose }: Props) {
  const { file: m } = useOfficeMessages()
  const { proposals, statuses } = useMessages()
  const { run, isBusy } = useActions()
  const [{ name, type }, change, drop] = useDraft<{ name: string; type: DocumentType | '' }>(
    `document ${account} ${id}`,
    { name: record.name, type: record.type ?? '' },
  )
  const [file, setFile] = useState<File>()
  const [error, setError] = useState<unknown>()
  const params = { account, id }
  const close = () => {
    drop()
    onClose()
  }
  const save = async () => {
    // The new content brings its name along: what was typed comes after it.
    if (file) await replaceDocument(params, file)
    const typed = name.trim() === record.name && file ? {} : { name: name.trim() }
    await ops.updateDocument({ params, body: { ...typed, type: type === '' ? null : type } })
    close()
    if (file) return { text: m.documentSaved }
    const before = { name: record.name, type: record.type ?? null }
    return { text: m.documentSaved, undo: () => ops.updateDocument({ params, body: before }) }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setError(undefined)
    void run(save, async (refusal) => setError(refusal))
  }
  return (
    <Dialog title={`${m.edit}: ${record.name}`} onClose={close} isPersistent>
      <form className={actionStyles.form} onSubmit={submit}>
        <Field
          label={m.name}
          maxLength={255}
          value={name}
          data-autofocus
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <SelectField
          label={m.type}
          value={type}
          options={[
            { value: '', label: proposals.noType },
            ...documentTypes.map((value) => ({ value, label: statuses.documentType[value] })),
          ]}
          onChange={(chosen) => change({ type: chosen })}
        />
        <Field
          type="file"
          label={m.replaceFile}
          description={m.replaceHint}
          onChange={(event) => setFile(event.currentTarget.files?.[0])}
        />
        {error !== undefined && <ErrorNotice error={error} />}
        <DialogActions>
          <Button type="submit" loading={isBusy} disabled={name.trim() === ''}>
            {m.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
