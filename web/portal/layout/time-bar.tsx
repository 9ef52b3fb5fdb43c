import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ClockChange, SandboxClock } from '../../../src/contract/sandbox/world.js'
import { announce } from '../../ui/announce.js'
import { Button } from '../../ui/button.js'
import { presentTime, showSimulatedTime } from '../../ui/clock.js'
import { signInOptionsQuery } from '../api/queries.js'
import { useFormat } from '../i18n/format.js'
import { useMessages } from '../i18n/messages.js'
import styles from './time-bar.module.css'

const address = '/sandbox/v1/clock'
// Simulated seconds per second: real time, an hour, a day.
const speeds = [1, 3600, 86_400]

async function request(change?: ClockChange): Promise<SandboxClock> {
  const sent = change && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(change),
  }
  const response = await fetch(address, sent)
  if (!response.ok) throw new Error(`${address}: ${response.status}`)
  return (await response.json()) as SandboxClock
}

/** The clock of the sandbox, in the demo only. */
export function TimeBar() {
  const { data: options } = useQuery(signInOptionsQuery())
  return options?.simulates_time ? <Clock /> : null
}

function Clock() {
  const { clock: m } = useMessages()
  const { locale, zone } = useFormat()
  const client = useQueryClient()
  const [clock, setClock] = useState<SandboxClock>()
  const [isMoving, setMoving] = useState(false)
  const [shown, setShown] = useState(presentTime)

  async function move(change?: ClockChange) {
    setMoving(true)
    try {
      const moved = await request(change)
      showSimulatedTime(Date.parse(moved.now), moved.speed)
      setClock(moved)
      setShown(presentTime())
      if (change) await client.invalidateQueries()
    } catch {
      announce(m.failed)
    } finally {
      setMoving(false)
    }
  }

  // oxlint-disable-next-line react/exhaustive-deps -- once, when the page is opened
  useEffect(() => void move(), [])
  useEffect(() => {
    const timer = setInterval(() => setShown(presentTime()), 1000)
    return () => clearInterval(timer)
  }, [])

  if (!clock) return null
  const time = new Intl.DateTimeFormat(locale, { timeZone: zone, dateStyle: 'full', timeStyle: 'short' })
  return (
    <section className={styles.bar} aria-label={m.title}>
      <span>
        {m.title}: <time dateTime={new Date(shown).toISOString()}>{time.format(shown)}</time>
      </span>
      <Button size="xs" variant="default" disabled={isMoving} onClick={() => void move({ advance: 'P1D' })}>
        {m.day}
      </Button>
      <Button size="xs" variant="default" disabled={isMoving} onClick={() => void move({ advance: 'P1W' })}>
        {m.week}
      </Button>
      <label>
        {m.speed}{' '}
        <select
          value={clock.speed}
          disabled={isMoving}
          onChange={(event) => void move({ speed: Number(event.target.value) })}
        >
          {[...new Set([0, ...speeds, clock.speed])].map((speed) => (
            <option key={speed} value={speed}>
              {m.speeds(speed)}
            </option>
          ))}
        </select>
      </label>
      <a href="/sandbox/mailbox" target="_blank" rel="noreferrer">
        {m.mailbox}
      </a>
    </section>
  )
}
