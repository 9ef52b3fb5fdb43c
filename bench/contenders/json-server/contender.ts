import { rmSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PurchaseOrderUpdate } from '../../../src/contract/purchase-order.js'
import { recordPurchaseOrder, renderPurchaseOrder } from '../../../src/domain/purchase-order.js'
import type { Contender, HttpRequest, Wish } from '../../contender.js'
import { freePort, startProgram } from '../../processes.js'
import { writeDataFile } from './data-file.js'

const program = join(import.meta.dirname, 'node_modules', 'json-server', 'lib', 'cli', 'bin.js')

/** The file that servers start from a copy of, and the one account in it: it knows neither accounts nor keys. */
let data: { file: string; slug: string } | undefined

export const contender: Contender = {
  name: 'json-server',
  async prepare(place) {
    const folder = await mkdtemp(join(tmpdir(), 'waybill-bench-json-server-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'pristine.json')
    data = { file, slug: await writeDataFile(place, file) }
  },
  async start() {
    if (!data) throw new Error('json-server has no file yet')
    const folder = await mkdtemp(join(tmpdir(), 'waybill-bench-json-server-'))
    const file = join(folder, 'db.json')
    await copyFile(data.file, file)
    const port = await freePort()
    const running = await startProgram({
      name: 'json-server',
      command: [process.execPath, program, file, '--quiet', '--host', '127.0.0.1', '--port', String(port)],
      environment: {},
      port,
      readyPath: '/shipments?_limit=1',
    })
    return {
      ...running,
      async stop() {
        await running.stop()
        await rm(folder, { recursive: true, force: true })
      },
    }
  },
  request: (wish) => (wish.account.slug === data?.slug ? requestOf(wish) : undefined),
  answerOf,
}

const sorted = '_sort=newest_first,id&_order=asc,asc'

function requestOf(wish: Wish): HttpRequest {
  switch (wish.of) {
    case 'shipment':
      return read(`/shipments/${encodeURIComponent(wish.id)}`)
    case 'shipments':
      return read(`/shipments?_start=${wish.skip}&_limit=${wish.take}&${sorted}`)
    case 'orders':
      return read(`/orders?${sorted}`)
    case 'order':
      return read(`/orders/${encodeURIComponent(wish.reference)}`)
    case 'create order': {
      const { po_number, ...body } = renderPurchaseOrder(recordPurchaseOrder(wish.order), [])
      // It keeps what it is sent, and sets no time of its own.
      return write('POST', '/orders', { id: po_number, newest_first: -1000 * Date.now(), po_number, ...body })
    }
    case 'update order':
      return write('PATCH', `/orders/${encodeURIComponent(wish.order.reference)}`, changesOf(wish.order))
  }
}

/** Only what is sent: the rest of the item stays. */
function changesOf({ product_lines, ...order }: PurchaseOrderUpdate): object {
  const { purchase_order_lines, ...rest } = renderPurchaseOrder(
    recordPurchaseOrder({ ...order, product_lines: product_lines ?? [] }),
    [],
  )
  return { ...rest, ...(product_lines && { purchase_order_lines }) }
}

function read(path: string): HttpRequest {
  return { method: 'GET', path, headers: {} }
}

function write(method: 'POST' | 'PATCH', path: string, body: object): HttpRequest {
  return { method, path, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
}

function answerOf(wish: Wish, body: unknown): unknown {
  switch (wish.of) {
    case 'shipments':
    case 'orders':
      return (body as Item[]).map(bodyOf)
    case 'create order':
    case 'update order':
      return { reference: (body as Item).id }
    default:
      return bodyOf(body as Item)
  }
}

type Item = { id: string; newest_first: number }

function bodyOf({ id: _id, newest_first: _place, ...body }: Item): object {
  return body
}
