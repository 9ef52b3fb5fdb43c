import { systemTime } from '../clock/clock.js'
import type { ImportProgress } from '../ingest/lines/report.js'

export type Progress = ReturnType<typeof showProgress>

type Output = { write(text: string): unknown; isTTY?: boolean }
type Options = {
  isSilent: boolean
  output?: Output
  /** Milliseconds between two reports. */
  interval?: number
}

const clearLine = '\r\u001b[K'

/**
 * Shows the progress of an import and the remaining time: one rewritten line on a terminal, otherwise a line every ten
 * seconds.
 */
export function showProgress({ isSilent, output = process.stderr, interval = output.isTTY ? 200 : 10_000 }: Options) {
  let current: (ImportProgress & { startedAt: number }) | undefined
  let timer: NodeJS.Timeout | undefined

  function show(): void {
    if (!current) return
    const text = describe(current, (systemTime() - current.startedAt) / 1000)
    output.write(output.isTTY ? `${clearLine}${text}` : `${text}\n`)
  }

  function report(progress: ImportProgress): void {
    if (isSilent) return
    const startedAt = current?.phase === progress.phase ? current.startedAt : systemTime()
    current = { ...progress, startedAt }
    timer ??= setInterval(show, interval)
  }

  return {
    report,
    /** Passes a stream through and counts its bytes. */
    follow(phase: ImportProgress['phase'], total?: number) {
      return async function* (stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
        let done = 0
        report({ phase, done, total })
        for await (const chunk of stream) {
          yield chunk
          done += chunk.length
          report({ phase, done, total })
        }
      }
    },
    /** Prints a line above the progress line. */
    print(text: string): void {
      output.write(`${output.isTTY ? clearLine : ''}${text}\n`)
    },
    end(): void {
      clearInterval(timer)
      timer = undefined
      if (output.isTTY && current) output.write(clearLine)
      current = undefined
    },
  }
}

// Earlier the rest cannot be estimated: an import stores its first records only after those of all lines were compared.
const smallestEstimated = 0.02

const titles = { receiving: 'Receiving', reading: 'Reading', storing: 'Storing' }

function describe({ phase, done, total }: ImportProgress, seconds: number): string {
  const amount = (count: number) =>
    phase === 'storing' ? `${count.toLocaleString('en-US')} records` : `${(count / 1e6).toFixed(1)} MB`
  if (total === undefined) return `${titles[phase]}: ${amount(done)}`
  const share = total === 0 ? 1 : done / total
  const left = share >= smallestEstimated ? `, ${duration((seconds * (total - done)) / done)} left` : ''
  return `${titles[phase]}: ${Math.floor(share * 100)}% of ${amount(total)}${left}`
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  if (seconds < 90 * 60) return `${Math.ceil(seconds / 60)} min`
  return `${(seconds / 3600).toFixed(1)} h`
}
