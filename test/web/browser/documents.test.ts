import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Document } from '../../../src/contract/public/document.js'
import { binaryFiles } from '../../support/sample-files.js'
import { unzip } from '../../support/unzip.js'
import { expectAccessible, expectNoSidewaysScroll, phone, signIn, startPortal } from './support.js'

/** Documents: groups, preview, download. */

const portal = await startPortal()

async function firstDocuments(page: Page, query = ''): Promise<Document[]> {
  const answer = await page.request.get(`/portal/v1/documents?take=20${query}`)
  return ((await answer.json()) as { documents: Document[] }).documents
}

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) })

async function upload(name: string, bytes: Buffer): Promise<void> {
  const sent = await portal.forwarder.sendFile('uploadDocument', portal.demo.slug, {}, { name, bytes })
  expect(sent.status, sent.text).toBe(201)
}

test('documents are grouped by shipment or by type, or listed', async () => {
  const page = await portal.signedIn('/documents')
  const [{ name, svc_shipment_id = '' }] = (await firstDocuments(page)) as [Document]
  await page.getByRole('rowheader', { name: svc_shipment_id }).waitFor()
  await expectAccessible(page)
  await page.getByText('By type', { exact: true }).click()
  await page.getByRole('rowheader', { name: 'Packing list' }).waitFor()
  expect(new URL(page.url()).search).toBe('?by=type')
  await expectAccessible(page)
  await page.getByText('List', { exact: true }).click()
  await expect.poll(() => page.getByRole('rowheader').count()).toBe(0)
  expect(await rowOf(page, name).innerText()).toContain(svc_shipment_id)
})

test('documents are searched, and the type filter is part of the address', async () => {
  const page = await portal.signedIn('/documents')
  await page.getByRole('button', { name: 'Type' }).click()
  await page.getByRole('radio', { name: 'Packing list' }).click()
  await expect.poll(() => new URL(page.url()).search).toBe('?type=packing_list')
  const [{ svc_shipment_id = '' }] = (await firstDocuments(page, '&type=packing_list')) as [Document]
  await page.getByRole('searchbox', { name: 'Search documents' }).fill(svc_shipment_id)
  await expect.poll(() => page.getByRole('rowheader').count()).toBe(1)
  await page.getByRole('searchbox', { name: 'Search documents' }).fill('nothing is called so')
  await page.getByRole('heading', { name: 'No matching documents' }).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).last().click()
  await page.getByRole('rowheader').nth(1).waitFor()
})

test('images and PDFs are previewed, other files can only be downloaded', async () => {
  const [picture, letter] = [`damage-${randomUUID()}.png`, `letter-${randomUUID()}.docx`]
  await upload(picture, binaryFiles.png as Buffer)
  await upload(letter, binaryFiles.docx as Buffer)
  const page = await portal.signedIn('/documents?by=list')
  await rowOf(page, picture).getByRole('button').click()
  const image = page.getByRole('dialog').getByRole('img', { name: picture })
  await expect
    .poll(() => image.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth))
    .toBeGreaterThan(0)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await rowOf(page, letter).getByRole('button').click()
  await page.getByRole('dialog').getByText('No preview for this file type.').waitFor()
  const downloading = page.waitForEvent('download')
  await page.getByRole('dialog').getByRole('link', { name: 'Download' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe(letter)
  expect(await readFile(await download.path())).toEqual(binaryFiles.docx)
  await page.keyboard.press('Escape')

  const pdf = (await firstDocuments(page)).find(({ name }) => name.endsWith('.pdf')) as Document
  await rowOf(page, pdf.name).getByRole('button').click()
  // This Chromium has no PDF viewer: the page says so, and offers a new tab.
  const address = await page.getByRole('link', { name: 'Open in a new tab' }).getAttribute('href')
  const shown = await page.request.get(address ?? '')
  expect(shown.headers()['content-type']).toBe('application/pdf')
  expect(shown.headers()['content-disposition']).toMatch(/^inline;/)
})

test('a browser that shows PDFs gets them framed in the page', async () => {
  const page = await portal.newPage()
  // This Chromium has no viewer and downloads the file: the test checks that the page requests it and may frame it.
  await page.addInitScript(`Object.defineProperty(Navigator.prototype, 'pdfViewerEnabled', { get: () => true })`)
  await signIn(page, portal.admin)
  await page.goto('/documents?by=list')
  const pdf = (await firstDocuments(page)).find(({ name }) => name.endsWith('.pdf')) as Document
  const shown = page.waitForResponse((response) => response.url().endsWith('?inline=1'))
  await rowOf(page, pdf.name).getByRole('button').click()
  expect((await shown).status()).toBe(200)
  await page.getByRole('dialog').locator(`iframe[title="${pdf.name}"]`).waitFor()
})

test('documents selected with the keyboard are downloaded as one ZIP', async () => {
  const page = await portal.signedIn('/documents?by=list')
  const selected = (await firstDocuments(page)).filter(({ name }) => name.endsWith('.pdf')).slice(0, 3)
  for (const { name } of selected) {
    await rowOf(page, name).getByRole('checkbox').focus()
    await page.keyboard.press('Space')
  }
  await page
    .getByText(/^3 selected, /)
    .first()
    .waitFor()
  await expectAccessible(page)
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download ZIP' }).click()
  const archive = unzip(await readFile(await (await downloading).path()))
  const bytes = archive.reduce((sum, { content }) => sum + content.length, 0)
  expect(bytes).toBe(selected.reduce((sum, { size }) => sum + size, 0))
  expect(archive).toHaveLength(selected.length)
  for (const { name } of selected)
    expect(
      archive.some((file) => file.name.endsWith(name)),
      name,
    ).toBe(true)
  expect(archive.every(({ content }) => content.subarray(0, 5).toString() === '%PDF-')).toBe(true)

  await page.getByRole('button', { name: 'Clear selection' }).click()
  await page.getByRole('checkbox', { name: 'Select all documents' }).click()
  await expect.poll(() => page.getByRole('checkbox', { checked: false }).count()).toBe(0)
})

test('the heading of a shipment selects all of its documents', async () => {
  const page = await portal.signedIn('/documents')
  const documents = await firstDocuments(page)
  const id = documents.find(({ svc_shipment_id }) => svc_shipment_id !== undefined)?.svc_shipment_id ?? ''
  const heading = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: id }) })
  await heading.getByRole('checkbox', { name: 'Select all of' }).check()
  const own = documents.filter(({ svc_shipment_id }) => svc_shipment_id === id).length
  await page
    .getByText(new RegExp(`^${own} selected, `))
    .first()
    .waitFor()
})

test('documents work on a phone, and an account without any sees where they come from', async () => {
  const page = await portal.signedIn('/documents', { size: phone, theme: 'dark' })
  await page.getByRole('checkbox').nth(1).check()
  await page.getByRole('link', { name: 'Download ZIP' }).waitFor()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)

  const account = await portal.newAccount()
  const empty = await portal.signedIn('/documents', { person: await portal.newPerson('viewer', { account }) })
  await empty.getByRole('heading', { name: 'No documents yet' }).waitFor()
  await expectAccessible(empty)
})
