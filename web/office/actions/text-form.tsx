import type { FormEvent } from 'react'
import { Button } from '../../ui/button.js'
import { Field } from '../../ui/field.js'
import { useDraft } from '../../ui/use-draft.js'
import styles from './actions.module.css'

type Props = {
  /** Under which what is typed survives a reload: of the item and the action. */
  draft: string
  label: string
  submit: string
  isBusy: boolean
  onSubmit: (text: string) => Promise<boolean>
}

/** One line of text and the action that needs it. What was typed stays until the action is done, also over a reload. */
export function TextForm({ draft: name, label, submit, isBusy, onSubmit }: Props) {
  const [{ text }, change, drop] = useDraft(name, { text: '' })
  const type = (typed: string) => {
    change({ text: typed })
    if (typed === '') drop()
  }
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (await onSubmit(text.trim())) type('')
  }
  return (
    <form className={styles.form} onSubmit={(event) => void send(event)}>
      <Field label={label} value={text} maxLength={1000} onChange={(event) => type(event.currentTarget.value)} />
      <Button type="submit" variant="default" loading={isBusy} disabled={text.trim() === ''}>
        {submit}
      </Button>
    </form>
  )
}
