import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Calendar } from '../../../../src/contract/portal/calendars.js'
import { Button } from '../../../ui/button.js'
import { Copyable } from '../../../ui/copyable.js'
import { SelectField } from '../../../ui/field.js'
import { MomentText } from '../../../ui/moment-text.js'
import { ErrorNotice, Notice, useNotice } from '../../../ui/notice.js'
import { type PlainColumn, PlainTable } from '../../../ui/plain-table.js'
import { Section } from '../../../ui/section.js'
import { ErrorState, TableSkeleton } from '../../../ui/states.js'
import { api } from '../../api/client.js'
import { calendarsQuery, viewsQuery } from '../../api/queries.js'
import { useMessages } from '../../i18n/messages.js'
import styles from './settings.module.css'

/** Calendars of dates: creates one, shows its address once, and removes it. */
export function CalendarsSection() {
  const { calendars: m } = useMessages()
  const client = useQueryClient()
  const { data: calendars, error, refetch } = useQuery(calendarsQuery())
  const [notice, notify] = useNotice()
  const refresh = () => client.invalidateQueries({ queryKey: calendarsQuery().queryKey })
  const create = useMutation({
    mutationFn: (view: string) => api.portal.createCalendar({ body: view === '' ? {} : { view_id: view } }),
    onSuccess: refresh,
  })
  const remove = useMutation({
    mutationFn: ({ calendar_id }: Calendar) => api.portal.removeCalendar({ params: { calendar_id } }),
    async onSuccess(_, { calendar_id }) {
      if (create.data?.calendar.calendar_id === calendar_id) create.reset()
      await refresh()
      notify(m.removed)
    },
  })
  const columns = useColumns((calendar) => remove.mutate(calendar))
  return (
    <Section title={m.title}>
      <div className={styles.stack}>
        <p className="soft">{m.text}</p>
        {notice}
        {remove.error && <ErrorNotice error={remove.error} />}
        {create.error && <ErrorNotice error={create.error} />}
        {create.data && <Address url={create.data.url} />}
        <NewCalendar onCreate={create.mutate} isBusy={create.isPending} />
        {!calendars &&
          (error ? (
            <div className="panel">
              <ErrorState error={error} retry={() => void refetch()} />
            </div>
          ) : (
            <TableSkeleton rows={1} columns={4} />
          ))}
        {calendars && calendars.length > 0 && (
          <PlainTable label={m.title} rows={calendars} columns={columns} rowKey={({ calendar_id }) => calendar_id} />
        )}
      </div>
    </Section>
  )
}

function Address({ url }: { url: string }) {
  const { calendars: m } = useMessages()
  return (
    <Notice tone="done" role="status" title={m.ready}>
      <Copyable text={url} className={styles.address ?? ''} />
      <p>{m.readyText}</p>
      <a href={url.replace(/^https?:/, 'webcal:')}>{m.open}</a>
    </Notice>
  )
}

function NewCalendar({ onCreate, isBusy }: { onCreate(view: string): void; isBusy: boolean }) {
  const { calendars: m } = useMessages()
  const { data: views = [] } = useQuery(viewsQuery())
  const [view, setView] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onCreate(view)
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <SelectField
        label={m.shows}
        value={view}
        options={[
          { value: '', label: m.all },
          ...views
            .filter(({ page }) => page === 'shipments')
            .map(({ view_id, name }) => ({ value: view_id, label: m.view(name) })),
        ]}
        onChange={setView}
      />
      <div>
        <Button type="submit" variant="default" loading={isBusy}>
          {m.create}
        </Button>
      </div>
    </form>
  )
}

function useColumns(onRemove: (calendar: Calendar) => void): PlainColumn<Calendar>[] {
  const { calendars: m } = useMessages()
  return [
    { id: 'name', header: m.name, isName: true, cell: ({ name }) => <span className="strong">{name}</span> },
    { id: 'created', header: m.created, cell: ({ created_at }) => <MomentText at={created_at} look="ago" /> },
    {
      id: 'read',
      header: m.lastRead,
      cell: ({ last_read_at }) =>
        last_read_at === undefined ? (
          <span className="soft">{m.never}</span>
        ) : (
          <MomentText at={last_read_at} look="ago" />
        ),
    },
    {
      id: 'actions',
      header: m.actions,
      align: 'right',
      isPlain: true,
      cell: (calendar) => (
        <Button
          size="xs"
          variant="subtle"
          color="red"
          aria-label={m.removeNamed(calendar.name)}
          onClick={() => onRemove(calendar)}
        >
          {m.remove}
        </Button>
      ),
    },
  ]
}
