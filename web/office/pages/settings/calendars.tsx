import { useInfiniteQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import {
  type CalendarDay,
  dayKinds,
  type WorkingDays,
  type WorkingDaysFields,
} from '../../../../src/contract/operator/free-time.js'
import { useFormat } from '../../../portal/i18n/format.js'
import { Button, TextButton } from '../../../ui/button.js'
import { CheckboxGroup } from '../../../ui/choices.js'
import { Dialog, DialogActions } from '../../../ui/dialog.js'
import { Field, FieldFrame } from '../../../ui/field.js'
import fieldStyles from '../../../ui/field.module.css'
import { LoadMore } from '../../../ui/load-more.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { Section } from '../../../ui/section.js'
import { EmptyState, ErrorState, TableSkeleton } from '../../../ui/states.js'
import { hasDraft, useDraft, useOpened } from '../../../ui/use-draft.js'
import actionStyles from '../../actions/actions.module.css'
import { useActions } from '../../actions/use-actions.js'
import { calendarsQuery, ops, useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { TableTools } from './table-tools.js'

const newCalendarDraft = 'calendar'

/** Working days of ports and countries. */
export function Calendars() {
  const { settings: m } = useOfficeMessages()
  const mayOperate = useMayDo('operate')
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery(calendarsQuery())
  const f = useFormat()
  const [isAdding, setAdding] = useState(() => mayOperate && hasDraft(newCalendarDraft))
  const [openPlace, open] = useOpened('calendars')
  const rows = data?.pages.flatMap(({ calendars }) => calendars)
  const opened = rows?.find(({ place }) => place === openPlace)
  return (
    <Section
      title={m.shows.calendars}
      isBare
      aside={<TableTools table="working_days" add={m.addCalendar} onAdd={() => setAdding(true)} />}
    >
      {!rows ? (
        error ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : (
          <TableSkeleton rows={5} columns={4} />
        )
      ) : rows.length === 0 ? (
        <div className="panel">
          <EmptyState title={m.noCalendars} text={m.noCalendarsText} />
        </div>
      ) : (
        <PlainTable
          label={m.shows.calendars}
          rows={rows}
          rowKey={({ place }) => place}
          columns={[
            {
              id: 'place',
              header: m.place,
              isName: true,
              cell: (calendar) => (
                <TextButton onClick={() => open(calendar.place)}>
                  {f.country(calendar.place) === calendar.place ? (
                    <span className="mono">{calendar.place}</span>
                  ) : (
                    `${f.country(calendar.place)} (${calendar.place})`
                  )}
                </TextButton>
              ),
            },
            {
              id: 'weekend',
              header: m.weekend,
              cell: ({ weekend }) => weekend?.map((day) => m.weekdays[day - 1]).join(', ') ?? m.asCountry,
            },
            { id: 'days', header: m.days, align: 'right', cell: ({ days }) => days.length },
            { id: 'zone', header: m.timeZone, cell: ({ time_zone }) => time_zone ?? '–' },
          ]}
        />
      )}
      {hasNextPage && (
        <LoadMore count={rows?.length ?? 0} loadMore={() => void fetchNextPage({ cancelRefetch: false })} />
      )}
      {opened && <CalendarForm key={opened.place} calendar={opened} onClose={() => open(undefined)} />}
      {isAdding && <CalendarForm calendar={undefined} onClose={() => setAdding(false)} />}
    </Section>
  )
}

type Draft = { place: string; hasWeekend: boolean; weekend: string[]; days: string; time_zone: string }

const textOf = (days: CalendarDay[]) =>
  days.map(({ date, kind, name }) => [date, kind, name].filter(Boolean).join(' ')).join('\n')

function draftOf({ place, weekend, days, time_zone = '' }: WorkingDays): Draft {
  return {
    place,
    hasWeekend: weekend !== undefined,
    weekend: (weekend ?? []).map(String),
    days: textOf(days),
    time_zone,
  }
}

/** One day a line: date, kind and name. */
function daysOf(text: string): CalendarDay[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [date = '', second = '', ...rest] = line.split(/\s+/)
      const kind = dayKinds.find((each) => each === second)
      const name = (kind ? rest : [second, ...rest]).join(' ').trim()
      return { date, kind: kind ?? 'holiday', ...(name !== '' && { name }) }
    })
}

function bodyOf({ hasWeekend, weekend, days, time_zone }: Draft): WorkingDaysFields {
  return {
    days: daysOf(days),
    ...((hasWeekend || weekend.length > 0) && { weekend: weekend.map(Number).toSorted((one, other) => one - other) }),
    ...(time_zone.trim() !== '' && { time_zone: time_zone.trim() }),
  }
}

function CalendarForm({ calendar, onClose }: { calendar: WorkingDays | undefined; onClose: () => void }) {
  const { settings: m, customers } = useOfficeMessages()
  const mayOperate = useMayDo('operate')
  const { run, isBusy } = useActions()
  const blank: Draft = { place: '', hasWeekend: false, weekend: [], days: '', time_zone: '' }
  const name = calendar ? `calendar ${calendar.place}` : newCalendarDraft
  const [draft, change, drop] = useDraft(name, calendar ? draftOf(calendar) : blank)
  const [error, setError] = useState<unknown>()
  const close = () => {
    drop()
    onClose()
  }
  const set = (place: string, body: WorkingDaysFields) => ops.setWorkingDays({ params: { place }, body })
  const restore = async () => calendar && void (await set(calendar.place, bodyOf(draftOf(calendar))))
  const save = (event: FormEvent) => {
    event.preventDefault()
    setError(undefined)
    const place = draft.place.trim().toUpperCase()
    void run(
      async () => {
        await set(place, bodyOf(draft))
        close()
        const undo = () => (calendar ? restore() : ops.removeWorkingDays({ params: { place } }))
        return { text: m.calendarSaved(place), undo }
      },
      async (refusal) => setError(refusal),
    )
  }
  const remove = (place: string) =>
    run(async () => {
      await ops.removeWorkingDays({ params: { place } })
      close()
      return { text: m.calendarRemoved(place), undo: restore }
    })
  return (
    <Dialog title={calendar ? calendar.place : m.addCalendar} onClose={close} isPersistent isWide>
      <form className={actionStyles.form} onSubmit={save}>
        <Field
          label={m.place}
          description={m.placeHint}
          value={draft.place}
          disabled={!mayOperate || calendar !== undefined}
          required
          data-autofocus={!calendar || undefined}
          onChange={(event) => change({ place: event.currentTarget.value })}
        />
        <CheckboxGroup<string>
          label={m.weekend}
          value={draft.weekend}
          options={m.weekdays.map((label, index) => ({ value: String(index + 1), label }))}
          onChange={(weekend) => change({ weekend, hasWeekend: true })}
        />
        <FieldFrame label={m.days} description={m.daysHint}>
          {(control) => (
            <textarea
              {...control}
              className={fieldStyles.control}
              rows={10}
              value={draft.days}
              disabled={!mayOperate}
              onChange={(event) => change({ days: event.currentTarget.value })}
            />
          )}
        </FieldFrame>
        <Field
          label={m.timeZone}
          description={m.timeZoneHint}
          value={draft.time_zone}
          disabled={!mayOperate}
          onChange={(event) => change({ time_zone: event.currentTarget.value })}
        />
        {error !== undefined && <ErrorNotice error={error} />}
        <DialogActions>
          {calendar && (
            <Button variant="default" color="red" disabled={!mayOperate} onClick={() => void remove(calendar.place)}>
              {m.remove}
            </Button>
          )}
          <Button
            type="submit"
            loading={isBusy}
            disabled={!mayOperate}
            title={mayOperate ? undefined : m.operationsOnly}
          >
            {customers.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
