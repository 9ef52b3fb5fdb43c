import { expect, test } from 'vitest'
import { newOperatorPerson, startOffice } from '../../support/office.js'

const service = await startOffice()

test('operators of every role save views of their own, which nobody else sees or changes', async () => {
  const viewer = await newOperatorPerson(service, 'viewer')
  const admin = await newOperatorPerson(service, 'admin')
  const body = { page: 'shipments', name: 'Late to Le Havre', query: 'tab=late&destination=FR%2FLEH' } as const
  const created = await viewer.office('createView', { body })
  const view = created.body as { view_id: string }
  expect(created).toMatchObject({ status: 201, body })
  expect((await viewer.office('listViews')).body).toMatchObject([body])
  const params = { view_id: view.view_id }
  expect((await admin.office('listViews')).body).toEqual([])
  expect(await admin.office('updateView', { params, body: { name: 'Mine' } })).toMatchObject({ status: 404 })
  expect(await admin.office('removeView', { params })).toMatchObject({ status: 404 })
  expect((await viewer.office('updateView', { params, body: { name: 'Le Havre' } })).body).toMatchObject({
    name: 'Le Havre',
    query: body.query,
  })
  await viewer.office('removeView', { params })
  expect((await viewer.office('listViews')).body).toEqual([])
})
