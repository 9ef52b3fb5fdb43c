import { expect, test } from 'vitest'
import { ResponseCache } from '../../../src/api/cache/response-cache.js'
import { type Read, readPipeline } from '../../../src/api/public/read-pipeline.js'
import type { OperationName, PublicOperation } from '../../../src/contract/public/operations.js'
import { Refusal } from '../../../src/contract/refusals.js'
import { findAccountPrincipal } from '../../../src/store/keys.js'
import type { CustomerInput } from '../../../src/usecases/customer-context.js'
import { newAccount } from '../../support/account.js'
import { startService } from '../../support/service.js'

const service = await startService()
const { db } = service

test('a list below a resource is not 304 for a resource that does not exist, and changes with what it lists', async () => {
  const { slug, forwarder } = await newAccount(service)
  const shipment = (svc_shipment_id: string) => ({ kind: 'shipment' as const, data: { svc_shipment_id } })
  const invoice = (reference: string) => ({
    kind: 'invoice' as const,
    data: { reference, number: reference, svc_shipment_id: 'SHP-1' },
  })
  await forwarder.imports(shipment('SHP-1'), invoice('INV-1'))
  const operation = {
    method: 'GET',
    path: '/v1/shipments/{svc_shipment_id}/invoices',
    kind: 'invoice',
    list: true,
    refusals: ['shipment_not_found'],
  } as unknown as PublicOperation
  const read: Read = async ({ account }, input) => {
    const { svc_shipment_id: id } = input.params as { svc_shipment_id: string }
    const [known] = await db`select from shipments where account_id = ${account} and svc_shipment_id = ${id}`
    if (!known) throw new Refusal('shipment_not_found')
    const rows = await db<{ body: string }[]>`
      select body from invoices where account_id = ${account} and svc_shipment_id = ${id} order by reference`
    return { page: rows.map(({ body }) => body) }
  }
  const reader = { read: (_: unknown, work: (source: typeof db) => Promise<unknown>) => work(db) } as never
  const pipeline = readPipeline({ cache: new ResponseCache(1_000_000), reader, db, eventDays: 90 }, operation, read)
  const list = async (svc_shipment_id: string, ifNoneMatch?: string) => {
    const principal = (await findAccountPrincipal(db, slug)) as NonNullable<
      Awaited<ReturnType<typeof findAccountPrincipal>>
    >
    const input = () => ({ params: { svc_shipment_id }, query: {} }) as unknown as CustomerInput<OperationName>
    const url = `/v1/shipments/${svc_shipment_id}/invoices`
    return pipeline.respond({ principal, url, ifNoneMatch, base: '', input })
  }

  const listedIn = ({ body }: { body?: unknown }) => JSON.parse((body as Buffer).toString()) as object[]
  const first = await list('SHP-1')
  expect(listedIn(first)).toMatchObject([{ reference: 'INV-1' }])
  expect((await list('SHP-1', first.etag)).body).toBeUndefined()
  await expect(list('SHP-2', first.etag)).rejects.toMatchObject({ code: 'shipment_not_found' })

  await forwarder.imports(invoice('INV-2'))
  const second = await list('SHP-1', first.etag)
  expect(listedIn(second)).toHaveLength(2)
})
