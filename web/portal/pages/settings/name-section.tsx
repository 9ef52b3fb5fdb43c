import { type FormEvent, useState } from 'react'
import { Button } from '../../../ui/button.js'
import { Field } from '../../../ui/field.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { Section } from '../../../ui/section.js'
import { useSession } from '../../api/session.js'
import { useMessages } from '../../i18n/messages.js'
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
        <Field
          label={m.name}
          description={m.nameText}
          value={name}
          maxLength={200}
          autoComplete="name"
          error={isMissing ? m.nameMissing : faults['/name']}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Field label={m.email} description={m.emailText} value={person.email} readOnly />
        {error !== null && Object.keys(faults).length === 0 && <ErrorNotice error={error} />}
        <div>
          <Button type="submit" loading={isPending} disabled={name.trim() === person.name}>
            {common.save}
          </Button>
        </div>
      </form>
    </Section>
  )
}
