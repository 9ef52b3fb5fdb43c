import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.js'
import { Field } from '../../ui/field.js'
import styles from './actions.module.css'

type Props = { label: string; submit: string; isBusy: boolean; onSubmit: (text: string) => Promise<boolean> }

/** One line of text and the action that needs it. What was typed stays until the action is done. */
export function TextForm({ label, submit, isBusy, onSubmit }: Props) {
  const [text, setText] = useState('')
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (await onSubmit(text.trim())) setText('')
  }
  return (
    <form className={styles.form} onSubmit={(event) => void send(event)}>
      <Field label={label} value={text} maxLength={1000} onChange={(event) => setText(event.currentTarget.value)} />
      <Button type="submit" variant="default" loading={isBusy} disabled={text.trim() === ''}>
        {submit}
      </Button>
    </form>
  )
}
