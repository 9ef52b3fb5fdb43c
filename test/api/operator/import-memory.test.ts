import { randomBytes, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { newAccount } from '../../support/account.js'
import { newOperator } from '../../support/operator.js'
import { ownDatabase, ownDatabaseUrl } from '../../support/own-database.js'
import { startServing, temporaryFolder } from '../../support/program.js'
import { startService } from '../../support/service.js'

/** The memory that a line of an import takes in the service. */

// On a database of its own: background tasks for other accounts would take memory, too.
const service = await startService({ db: await ownDatabase('import_memory') })

test.runIf(process.platform === 'linux')(
  'the longest line with a document takes less than 64 MiB, and a longer one is refused with the way to send it',
  { timeout: 120_000 },
  async () => {
    const { slug } = await newAccount(service)
    const { key, ops } = await newOperator(service)
    const { baseUrl, pid } = await startServing({
      env: { DATABASE_URL: ownDatabaseUrl('import_memory'), WAYBILL_DATA_DIR: await temporaryFolder() },
    })
    const send = async (megabytes: number) => {
      const content = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(megabytes * 1024 * 1024 - 1024)])
      const id = randomUUID()
      const data = { id, name: 'a.pdf', content_base64: content.toString('base64') }
      const response = await fetch(`${baseUrl}/ops/v1/import`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
        body: JSON.stringify({ kind: 'document', account: slug, data }),
      })
      return { status: response.status, text: await response.text(), id, size: content.length }
    }
    for (let round = 0; round < 5; round += 1) expect((await send(1)).status).toBe(200)
    const before = await peakMemory(pid)
    const { status, id, size } = await send(12)
    expect(status).toBe(200)
    expect((await peakMemory(pid)) - before).toBeLessThan(64)
    expect((await ops('getDocument', slug, { params: { id } })).body.record.size).toBe(size)
    const refused = await send(13)
    expect(refused).toBeRefused('payload_too_large')
    expect(refused.text).toContain('POST /ops/v1/accounts/{account}/documents')
  },
)

/** In MiB. */
async function peakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024)
}
