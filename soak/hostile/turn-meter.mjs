import { Buffer } from 'node:buffer'
import { openSync, readSync, writeSync } from 'node:fs'

/**
 * Loaded into the service (`--import`) while it is sent hostile requests: notes in the file `TURN_METER_FILE` the longest time (ms, a
 * double) that its main thread used a processor without turning to others. Unlike a wait on the clock, that does not depend on
 * what else the machine does. Whoever reads the file writes a zero to begin anew. Linux only.
 */

const interval = 1
const notesFile = openSync(process.env.TURN_METER_FILE ?? '', 'r+')
const usage = openSync('/proc/self/schedstat', 'r')
const text = Buffer.alloc(100)
const noted = Buffer.alloc(8)

function usedMilliseconds() {
  return Number(text.toString('latin1', 0, readSync(usage, text, 0, text.length, 0)).split(' ')[0]) / 1e6
}

function longest() {
  readSync(notesFile, noted, 0, 8, 0)
  return noted.readDoubleLE()
}

let before = usedMilliseconds()
setInterval(() => {
  const now = usedMilliseconds()
  if (now - before > 10 && now - before > longest()) {
    noted.writeDoubleLE(now - before)
    writeSync(notesFile, noted, 0, 8, 0)
  }
  before = now
}, interval).unref()
