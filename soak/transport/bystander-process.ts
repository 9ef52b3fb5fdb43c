import { Bystander } from './bystander.js'

/**
 * Runs the bystander in its own process: the attacking process is too busy to measure latencies. It starts at once, stops on a
 * message, and reports its measurements.
 */

export type BystanderReport = {
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
    const report: BystanderReport = { requests, written: written.length, failures: [...new Set(failures)], ...waits }
    process.send?.(report, () => process.disconnect())
  })
})
