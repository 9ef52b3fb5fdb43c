import { useEffect, useState } from 'react'
import { WaybillError } from '../../../../src/client/response.js'
import { systemTime } from '../../../ui/clock.js'

/** Seconds until the next attempt is allowed, counting down. */
export function useRetryDelay(error: unknown): number {
  const [until, setUntil] = useState(0)
  const [seconds, setSeconds] = useState(0)

  useEffect(() => {
    const wait = error instanceof WaybillError && error.code === 'sign_in_slowed' ? (error.retryAfter ?? 0) : 0
    setUntil(systemTime() + wait * 1000)
    setSeconds(wait)
  }, [error])

  useEffect(() => {
    if (seconds <= 0) return
    const timer = setTimeout(() => setSeconds(Math.max(0, Math.ceil((until - systemTime()) / 1000))), 1000)
    return () => clearTimeout(timer)
  }, [seconds, until])

  return seconds
}
