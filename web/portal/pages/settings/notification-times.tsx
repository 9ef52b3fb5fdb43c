import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { NotificationSettings } from '../../../../src/contract/portal/notifications.js'
import { Button } from '../../../ui/button.js'
import { Field, SelectField } from '../../../ui/field.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { api, faultsByPointer } from '../../api/client.js'
import { notificationSettingsQuery } from '../../api/queries.js'
import { useSession } from '../../api/session.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import notifications from '../notifications/notifications.module.css'
import { Saved } from './saving.js'
import styles from './settings.module.css'

/** When mails are sent. */
export function NotificationTimes() {
  const { data } = useQuery(notificationSettingsQuery())
  return data ? <TimesForm settings={data} /> : null
}

// A Monday.
const firstDay = Date.UTC(2024, 0, 1)

function TimesForm({ settings }: { settings: NotificationSettings }) {
  const { notifications: m } = useMessages()
  const { preferences } = useSession()
  const { locale } = useFormat()
  const client = useQueryClient()
  const [time, setTime] = useState(settings.digest_time)
  const [weekday, setWeekday] = useState(String(settings.digest_weekday))
  const [from, setFrom] = useState(settings.quiet_hours?.from ?? '')
  const [to, setTo] = useState(settings.quiet_hours?.to ?? '')
  const [byMail, setByMail] = useState(settings.messages ?? 'at_once')
  const isIncomplete = (from === '') !== (to === '')
  const save = useMutation({
    mutationFn: () =>
      api.portal.saveNotificationSettings({
        body: {
          digest_time: time,
          digest_weekday: Number(weekday),
          messages: byMail,
          ...(from !== '' && to !== '' && { quiet_hours: { from, to } }),
        },
      }),
    onSuccess: (saved) => client.setQueryData(notificationSettingsQuery().queryKey, saved),
  })
  const faults = faultsByPointer(save.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isIncomplete) save.mutate()
  }
  const dayName = (index: number) =>
    new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(firstDay + index * 86_400_000)
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <p className="soft">
        <span className="strong">{m.times}</span> {m.timesText(preferences.time_zone)}
      </p>
      {save.error && Object.keys(faults).length === 0 && <ErrorNotice error={save.error} />}
      <div className={notifications.times}>
        <Field
          type="time"
          label={m.digestTime}
          value={time}
          error={faults['/digest_time']}
          onChange={(event) => setTime(event.currentTarget.value)}
        />
        <SelectField
          label={m.digestWeekday}
          value={weekday}
          options={[0, 1, 2, 3, 4, 5, 6].map((index) => ({ value: String(index + 1), label: dayName(index) }))}
          onChange={setWeekday}
        />
        <SelectField
          label={m.messages}
          value={byMail}
          options={[
            { value: 'at_once', label: m.messagesByMail },
            { value: 'portal', label: m.messagesInPortal },
          ]}
          onChange={setByMail}
        />
      </div>
      <fieldset className={notifications.quiet}>
        <legend>{m.quiet}</legend>
        <div className={notifications.times}>
          <Field
            type="time"
            label={m.quietFrom}
            value={from}
            onChange={(event) => setFrom(event.currentTarget.value)}
          />
          <Field
            type="time"
            label={m.quietTo}
            value={to}
            error={isIncomplete ? m.quietIncomplete : undefined}
            onChange={(event) => setTo(event.currentTarget.value)}
          />
        </div>
        <p className="small soft">{m.quietNone}</p>
      </fieldset>
      <div>
        <Button type="submit" variant="default" loading={save.isPending}>
          {m.saveTimes}
        </Button>{' '}
        <Saved at={save.isSuccess ? save.submittedAt : undefined} />
      </div>
    </form>
  )
}
