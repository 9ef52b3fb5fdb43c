import { queryOptions, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { SharedShipment } from '../../../../src/contract/portal/shared-shipment.js'
import { Button, TextButton } from '../../../ui/button.js'
import { Field } from '../../../ui/field.js'
import { ErrorNotice, Notice } from '../../../ui/notice.js'
import { api, refusalCodeOf } from '../../api/client.js'
import { useMessages } from '../../i18n/messages.js'
import { Frame } from '../sign-in/frame.js'
import styles from '../sign-in/sign-in.module.css'
import { SharedView } from './shared-view.js'

type Asked = { number: string; fact: string }

/** Tracking without an account: a number of the shipment, and one more fact about it. */
export function TrackPage() {
  const { sharing: m } = useMessages()
  const [asked, setAsked] = useState<Asked>()
  const query = trackQuery(asked)
  const { data, error, isFetching } = useQuery(query)
  if (data) {
    return (
      <SharedView
        shared={data}
        query={query}
        token=""
        aside={<TextButton onClick={() => setAsked(undefined)}>{m.trackOther}</TextButton>}
      />
    )
  }
  return (
    <Frame title={m.trackTitle} lead={m.trackLead}>
      {error && <TrackError error={error} />}
      <TrackForm isBusy={isFetching} onAsk={setAsked} />
    </Frame>
  )
}

function TrackError({ error }: { error: Error }) {
  const { sharing: m } = useMessages()
  const texts: Record<string, string> = { number_or_fact_wrong: m.trackNone, public_tracking_off: m.trackOff }
  const text = texts[refusalCodeOf(error) ?? '']
  return text === undefined ? (
    <ErrorNotice error={error} />
  ) : (
    <Notice tone="problem" role="alert">
      {text}
    </Notice>
  )
}

function TrackForm({ isBusy, onAsk }: { isBusy: boolean; onAsk(asked: Asked): void }) {
  const { sharing: m } = useMessages()
  const [given, setGiven] = useState<Asked>({ number: '', fact: '' })
  const [isChecked, setChecked] = useState(false)
  const fault = (text: string) => (isChecked && !/[A-Za-z0-9].*[A-Za-z0-9]/.test(text) ? m.trackMissing : undefined)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (Object.values(given).every((text) => /[A-Za-z0-9].*[A-Za-z0-9]/.test(text))) onAsk({ ...given })
  }
  const field = (name: keyof Asked, label: string, description: string) => (
    <Field
      label={label}
      description={description}
      value={given[name]}
      maxLength={100}
      error={fault(given[name])}
      onChange={(event) => setGiven({ ...given, [name]: event.currentTarget.value })}
    />
  )
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {field('number', m.trackNumber, m.trackNumberText)}
      {field('fact', m.trackFact, m.trackFactText)}
      <Button type="submit" loading={isBusy}>
        {m.track}
      </Button>
    </form>
  )
}

/** Live: it is requested again while the page is visible. */
function trackQuery(asked: Asked | undefined) {
  return queryOptions<SharedShipment, Error, SharedShipment, string[]>({
    queryKey: ['tracked', asked?.number ?? '', asked?.fact ?? ''],
    queryFn: ({ signal }) => api.portal.trackShipment({ body: asked ?? { number: '', fact: '' }, signal }),
    enabled: asked !== undefined,
    retry: false,
    refetchInterval: ({ state: { error } }) => (error ? false : 60_000),
  })
}
