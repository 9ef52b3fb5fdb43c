import { Bystander } from './bystander.js'

/**
 * Somebody who means no harm, in a process of their own: whoever sends by the thousand is too busy to tell how long others
 * wait. Begins at once, ends when told to, and tells what it was like.
 */

export type Told = {
  requests: number
  written: number
  longest: number
  longestAt: number
  slowest: number
  failures: string[]
}

const { baseUrl, key } = JSON.parse(process.argv[2] ?? '') as { baseUrl: string; key: string }
const bystander = new Bystander(baseUrl, key)
bystander.start()

process.once('message', () => {
  void bystander.stop().then(() => {
    const { requests, written, failures, waits } = bystander
    const told: Told = { requests, written: written.length, failures: [...new Set(failures)], ...waits }
    process.send?.(told, () => process.disconnect())
  })
})
