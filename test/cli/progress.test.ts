import { expect, test } from 'vitest'
import { showProgress } from '../../src/cli/progress.js'
import { importLines } from '../../src/ingest/lines/import.js'
import { newAccount } from '../support/account.js'
import { startService } from '../support/service.js'

const service = await startService()
const count = 3000

test('an import reports the share of the file read, then the share of records stored, with the time left', async () => {
  const written = await importWithProgress({ isTTY: false })
  expect(written).toMatch(/^Reading: \d+% of 0\.\d MB, \d+ s left$/m)
  expect(written).toMatch(/^Storing: \d+% of 3,000 records, \d+ s left$/m)
  expect(written.indexOf('Storing')).toBeGreaterThan(written.lastIndexOf('Reading'))
})

test('on a terminal an import rewrites one line of progress, and removes it at its end', async () => {
  const written = await importWithProgress({ isTTY: true })
  expect(written).not.toContain('\n')
  const states = written.split('\r\u001b[K')
  expect(states.filter((state) => /^Storing: \d+% of 3,000 records/.test(state)).length).toBeGreaterThan(0)
  expect(states.at(-1)).toBe('')
})

test('an import that prints its summary as JSON reports no progress', async () => {
  expect(await importWithProgress({ isTTY: true, isSilent: true })).toBe('')
})

test('the time left is shown once so much is done that it can be estimated', async () => {
  const written: string[] = []
  const output = { isTTY: false, write: (text: string) => written.push(text) }
  const progress = showProgress({ isSilent: false, output, interval: 1 })
  progress.report({ phase: 'storing', done: 1, total: 100_000 })
  await expect.poll(() => written.at(-1)).toBe('Storing: 0% of 100,000 records\n')
  progress.report({ phase: 'storing', done: 50_000, total: 100_000 })
  await expect.poll(() => written.at(-1)).toMatch(/^Storing: 50% of 100,000 records, \d+ s left\n$/)
  progress.end()
})

test('the progress of an import includes rendering the bodies of what it has stored', async () => {
  const { slug } = await newAccount(service)
  const lines = Array.from({ length: count }, (_, index) =>
    Buffer.from(`${JSON.stringify({ kind: 'shipment', account: slug, data: { svc_shipment_id: `S-${index}` } })}\n`),
  )
  const shares: number[] = []
  await importLines(service, slowly(lines), {
    folder: undefined,
    skipInvalid: false,
    author: 'test',
    onFault: () => expect.unreachable(),
    onProgress: ({ phase, done, total }) => {
      if (phase === 'storing') shares.push(done / (total ?? Number.NaN))
    },
  })
  expect(shares).toEqual(shares.toSorted((one, other) => one - other))
  expect(shares[count - 1]).toBeCloseTo(0.6)
  expect(shares.length).toBeGreaterThan(count + 5)
  expect(shares.at(-1)).toBeCloseTo(1)
})

/** The output of a real import, with progress reported as often as possible. */
async function importWithProgress({ isTTY, isSilent = false }: { isTTY: boolean; isSilent?: boolean }) {
  const { slug } = await newAccount(service)
  const chunks: Buffer[] = []
  for (let id = 1; id <= count; id += 1) {
    chunks.push(Buffer.from(`${JSON.stringify({ kind: 'location', account: slug, data: { id } })}\n`))
  }
  const written: string[] = []
  const progress = showProgress({ isSilent, output: { isTTY, write: (text) => written.push(text) }, interval: 1 })
  const total = chunks.reduce((sum, { length }) => sum + length, 0)
  const follow = progress.follow('reading', total)
  const { kept } = await importLines(service, follow(slowly(chunks)), {
    folder: undefined,
    skipInvalid: false,
    author: 'test',
    onFault: (fault) => progress.print(JSON.stringify(fault)),
    onProgress: progress.report,
  })
  progress.end()
  expect(kept).toBe(true)
  return written.join('')
}

// Like a file: yields to other tasks between chunks.
async function* slowly(chunks: Buffer[]): AsyncGenerator<Buffer> {
  for (const [index, chunk] of chunks.entries()) {
    if (index % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 2))
    yield chunk
  }
}
