import { randomBytes } from 'node:crypto'

/** Short, unique over processes and restarts, and cheap: a random start and a counter. */
export function requestIds(): () => string {
  const start = randomBytes(6).toString('hex')
  let count = 0
  return () => {
    count += 1
    return `req_${start}${count.toString(36).padStart(6, '0')}`
  }
}
