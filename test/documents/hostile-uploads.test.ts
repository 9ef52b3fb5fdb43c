import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { newAccount } from '../support/account.js'
import { startBrowser } from '../support/browser.js'
import { newOperator } from '../support/operator.js'
import { newPerson } from '../support/person.js'
import { binaryFiles } from '../support/sample-files.js'
import { startService } from '../support/service.js'

/** Disguised pages and scripts: a real browser executes none of them, however they are opened. */

const service = await startService()
const script = "fetch('/ran');document.title='ran'"
const page = `<!doctype html><title>page</title><script>${script}</script><img src=x onerror="${script}">`
const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="${script}"><script>${script}</script></svg>`

/** File names and contents. */
const files: [name: string, content: Buffer][] = [
  ['page.html', Buffer.from(page)],
  ['page.htm', Buffer.from(page)],
  ['page.xhtml', Buffer.from(`<html xmlns="http://www.w3.org/1999/xhtml"><script>${script}</script></html>`)],
  ['picture.svg', Buffer.from(svg)],
  ['script.js', Buffer.from(script)],
  [
    'style.xml',
    Buffer.from(`<?xml version="1.0"?><x:script xmlns:x="http://www.w3.org/1999/xhtml">${script}</x:script>`),
  ],
  ['mail.eml', Buffer.from(`MIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n${page}`)],
  ['page.mhtml', Buffer.from(`MIME-Version: 1.0\r\nContent-Type: multipart/related\r\n\r\n${page}`)],
  ['data.json', Buffer.from(page)],
  ['text.txt', Buffer.from(page)],
  ['page.pdf', Buffer.from(page)],
  ['no extension', Buffer.from(page)],
  // Polyglots: the beginning of an image or a PDF, followed by a page or a script.
  ['gif and script.gif', Buffer.from(`GIF89a/*${'\0'.repeat(20)}*/=1;${script}`, 'latin1')],
  ['gif and page.html', Buffer.from(`GIF89a${page}`)],
  ['pdf and page.html', Buffer.from(`%PDF-1.7\n${page}`)],
  [
    'pdf that acts.pdf',
    Buffer.from(`%PDF-1.7\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(${script})>>>>endobj`),
  ],
  ['png and page.png', Buffer.concat([binaryFiles.png as Buffer, Buffer.from(page)])],
  ['jpg and page.jpg', Buffer.concat([binaryFiles.jpg as Buffer, Buffer.from(page)])],
  ['webp and svg.svg', Buffer.concat([binaryFiles.webp as Buffer, Buffer.from(svg)])],
]

async function bring() {
  const account = await newAccount(service)
  await account.forwarder.imports(
    ...files.map(([name, content]) => ({
      kind: 'document' as const,
      data: { id: randomUUID(), name, content_base64: content.toString('base64') },
    })),
  )
  return { account, documents: (await account.call('listDocuments')).body }
}

test('no uploaded file is sent with a type that a browser executes, whatever its name and the query', async () => {
  const { account, documents } = await bring()
  expect(documents).toHaveLength(files.length)
  const { key } = await newOperator(service)
  const inert =
    /^(?:application\/(?:octet-stream|pdf|json|xml)|image\/(?:png|jpeg|gif|webp)|text\/plain; charset=utf-8|message\/rfc822)$/
  for (const { id, name, link } of documents) {
    const inside = `${service.baseUrl}/ops/v1/accounts/${account.slug}/documents/${id}/content`
    for (const address of [link, `${link}?inline=1`, `${link}?inline=1&type=text/html`, `${link}?inline[]=1`, inside]) {
      const { headers, status } = await fetch(address, {
        headers: { authorization: `Bearer ${key}`, accept: 'text/html' },
      })
      expect(status, address).toBe(200)
      expect(headers.get('content-type'), name).toMatch(inert)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      const isShown = headers.get('content-disposition')?.startsWith('inline')
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).not.toContain('script-src')
      // Only images and PDFs, recognised by content, are displayed; everything else is an attachment.
      if (isShown) expect(headers.get('content-type'), name).toMatch(/^(?:image\/|application\/pdf)/)
      else expect(policy).toBe("sandbox; default-src 'none'")
    }
  }
})

test('a browser executes no disguised file, however it is opened', async () => {
  const { account, documents } = await bring()
  const person = await newPerson(service, account)
  const browser = await startBrowser()
  const context = await browser.newContext({ acceptDownloads: false })
  const [name, value] = person.headers.cookie.split('=') as [string, string]
  await context.addCookies([{ name, value, url: service.baseUrl }])
  const tab = await context.newPage()
  const ran: string[] = []
  tab.on('request', (request) => request.url().endsWith('/ran') && ran.push(request.frame().url()))

  for (const { link, name: called } of documents) {
    for (const address of [link, `${link}?inline=1`]) {
      // Opened directly: an attachment is not a page.
      await tab.goto(address).catch((error: Error) => expect(error.message).toMatch(/Download|ERR_ABORTED/))
      expect(await tab.title(), called).not.toBe('ran')
    }
  }
  // Within a page of the same origin without a policy: as a frame, an object, an image, a script.
  const bare = `${service.baseUrl}/bare`
  await context.route(bare, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><body>' }))
  await tab.goto(bare)
  const links = documents.flatMap(({ link }) => [link, `${link}?inline=1`])
  await tab.evaluate(`(async () => {
    const elements = { iframe: 'src', embed: 'src', object: 'data', img: 'src', script: 'src' }
    for (const address of ${JSON.stringify(links)}) {
      for (const [tag, attribute] of Object.entries(elements)) {
        const element = document.createElement(tag)
        element.setAttribute(attribute, address)
        document.body.append(element)
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 1500))
  })()`)
  expect(await tab.title()).not.toBe('ran')
  // An executed script would be detected.
  expect(ran).toEqual([])
  const noticed = tab.waitForRequest(`${service.baseUrl}/ran`)
  await tab.evaluate(script)
  await noticed
  expect(ran).toHaveLength(1)
  await context.close()
})
