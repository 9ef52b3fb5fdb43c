import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.js'
import { Dialog, DialogActions } from '../../ui/dialog.js'
import { Field } from '../../ui/field.js'
import { ErrorNotice } from '../../ui/notice.js'
import { useDraft } from '../../ui/use-draft.js'
import { useOfficeMessages } from '../i18n/messages.js'
import styles from './actions.module.css'
import { type Outcome, useActions } from './use-actions.js'

type Props = {
  /** Under which the reason survives a reload: of the item and the action. */
  draft: string
  title: string
  text?: ReactNode
  confirm: string
  onClose: () => void
  act: (reason: string) => Promise<Outcome>
}

/** Asks for the reason of what takes something away. A refusal is shown inside. */
export function ReasonDialog({ draft: name, title, text, confirm, onClose, act }: Props) {
  const { file: m } = useOfficeMessages()
  const { run, isBusy } = useActions()
  const [{ reason }, change, drop] = useDraft(name, { reason: '' })
  const [error, setError] = useState<unknown>()
  const close = () => {
    drop()
    onClose()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setError(undefined)
    void run(
      async () => {
        const outcome = await act(reason.trim())
        close()
        return outcome
      },
      async (refusal) => setError(refusal),
    )
  }
  return (
    <Dialog title={title} onClose={close}>
      <form className={styles.form} onSubmit={submit}>
        {text !== undefined && <p className="soft">{text}</p>}
        <Field
          label={m.reason}
          maxLength={1000}
          value={reason}
          data-autofocus
          onChange={(event) => change({ reason: event.currentTarget.value })}
        />
        {error !== undefined && <ErrorNotice error={error} />}
        <DialogActions>
          <Button type="submit" color="red" loading={isBusy} disabled={reason.trim() === ''}>
            {confirm}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
