import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * The longest time that the main thread of a service used a processor without turning to other clients: what a request costs
 * others on a machine that does nothing else.
 */
export type TurnMeter = {
  /** For starting the service. */
  env: Record<string, string>
  nodeFlags: string[]
  /** Milliseconds since the last call; below 10 it is 0. */
  read(): number
  end(): void
}

const program = pathToFileURL(join(import.meta.dirname, 'turn-meter.mjs')).href

export function newTurnMeter(): TurnMeter {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-turns-'))
  const notes = join(folder, 'longest')
  const reset = () => writeFileSync(notes, Buffer.alloc(8))
  reset()
  return {
    env: { TURN_METER_FILE: notes },
    nodeFlags: ['--import', program],
    read() {
      const longest = readFileSync(notes).readDoubleLE()
      reset()
      return longest
    },
    end: () => rmSync(folder, { recursive: true }),
  }
}
