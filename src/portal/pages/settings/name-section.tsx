import { TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useSession } from '../../api/session.js'
import { useMessages } from '../../i18n/messages.js'
import { Button } from '../../parts/button.js'
import { DialogError } from '../../parts/dialog.js'
import { Section } from '../../parts/section.js'
import { Saved, useSaving } from './saving.js'
import styles from './settings.module.css'

export function NameSection() {
  const { settings: m, common } = useMessages()
  const { person } = useSession()
  const [name, setName] = useState(person.name)
  const [isMissing, setMissing] = useState(false)
  const { save, isPending, error, faults, savedAt } = useSaving()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setMissing(name.trim() === '')
    if (name.trim() !== '') save({ name: name.trim() })
  }
  return (
    <Section title={m.you} aside={<Saved at={savedAt} />}>
      <form onSubmit={submit} noValidate className={styles.form}>
        <TextInput
          label={m.name}
          description={m.nameText}
          value={name}
          maxLength={200}
          autoComplete="name"
          error={isMissing ? m.nameMissing : faults['/name']}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput label={m.email} description={m.emailText} value={person.email} readOnly />
        {error !== null && Object.keys(faults).length === 0 && <DialogError error={error} />}
        <div>
          <Button type="submit" loading={isPending} disabled={name.trim() === person.name}>
            {common.save}
          </Button>
        </div>
      </form>
    </Section>
  )
}
