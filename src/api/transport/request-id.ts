import { randomBytes } from 'node:crypto'

/** Short ids, unique over processes and restarts: a random prefix and a counter. */
export function requestIds(): () => string {
  const start = randomBytes(6).toString('hex')
  let count = 0
  return () => {
    count += 1
    return `req_${start}${count.toString(36).padStart(6, '0')}`
  }
}
