import { type FormEvent, useEffect, useId, useState } from 'react'
import { Button } from '../../../ui/button.js'
import { Dialog, DialogActions } from '../../../ui/dialog.js'
import { FieldFrame } from '../../../ui/field.js'
import field from '../../../ui/field.module.css'
import { ErrorNotice } from '../../../ui/notice.js'
import { readDraft, useDraft } from '../../../ui/use-draft.js'
import { useMessages } from '../../i18n/messages.js'
import styles from './exceptions.module.css'

type Props = { ids: string[]; act(note: string | undefined): Promise<unknown>; onClose(): void }

type Draft = { ids: string[]; note: string }
const draftName = 'note on exceptions'

/** The exceptions on which a note was being written when the page was reloaded. */
export function findNoted(): string[] | undefined {
  return readDraft<Draft>(draftName)?.ids
}

/** Acknowledges with a note for the forwarder. */
export function NoteDialog({ ids, act, onClose }: Props) {
  const { exceptions: m, common } = useMessages()
  const [{ note }, change, drop] = useDraft<Draft>(draftName, { ids, note: '' })
  // A reload ends the page without this.
  useEffect(() => drop, [drop])
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false })
  const form = useId()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setState({ isBusy: true })
    try {
      await act(note.trim() || undefined)
      onClose()
    } catch (error) {
      setState({ isBusy: false, error })
    }
  }
  return (
    <Dialog title={m.noteTitle(ids.length)} onClose={onClose} isPersistent>
      <form id={form} onSubmit={(event) => void submit(event)}>
        {state.error !== undefined && <ErrorNotice error={state.error} />}
        <FieldFrame label={m.note} description={m.noteHint}>
          {(control) => (
            <div className={field.box}>
              <textarea
                {...control}
                className={`${field.control} ${styles.text}`}
                rows={3}
                maxLength={1000}
                value={note}
                onChange={({ currentTarget }) => change({ note: currentTarget.value })}
                data-autofocus
              />
            </div>
          )}
        </FieldFrame>
      </form>
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {common.cancel}
        </Button>
        <Button type="submit" form={form} loading={state.isBusy}>
          {m.acknowledge}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
