import { useState } from 'react'
import { Button } from '../../../ui/button.js'
import { Field } from '../../../ui/field.js'
import { useMessages } from '../../i18n/messages.js'
import styles from './views.module.css'

type Props = { initial: string; isBusy: boolean; onSave(name: string): Promise<void>; onCancel(): void }

/** Inline form for the name of a view. Escape cancels. */
export function ViewForm({ initial, isBusy, onSave, onCancel }: Props) {
  const { shipments, common } = useMessages()
  const [name, setName] = useState(initial)
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        // A refusal is shown below the views.
        if (name.trim()) void onSave(name.trim()).catch(() => undefined)
      }}
    >
      <Field
        size="xs"
        autoFocus
        aria-label={shipments.views.name}
        placeholder={shipments.views.name}
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel()
        }}
      />
      <Button size="xs" type="submit" loading={isBusy} disabled={!name.trim()}>
        {common.save}
      </Button>
      <Button size="xs" variant="default" onClick={onCancel}>
        {common.cancel}
      </Button>
    </form>
  )
}
