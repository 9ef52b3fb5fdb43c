import { createRequire } from 'node:module'
import pdfmake from 'pdfmake'
import type { TDocumentDefinitions } from 'pdfmake/interfaces.js'

/** PDFs by pdfmake, without network access. Fonts: Helvetica, which PDF viewers include, or the Roboto of pdfmake. */

// A font is parsed for each document that uses it, which takes longer than the layout: use few of them.
const helvetica = { normal: 'Helvetica', bold: 'Helvetica-Bold' }
// Latin, Greek and Cyrillic. Only the used glyphs are embedded; a missing one is shown as a box.
const roboto = { normal: fileOf('Roboto-Regular.ttf'), bold: fileOf('Roboto-Medium.ttf') }
pdfmake.setFonts({ Helvetica: helvetica, Roboto: roboto })
pdfmake.setUrlAccessPolicy(() => false)
// The policy is also called with the names of standard fonts.
const allowed = new Set([...Object.values(helvetica), ...Object.values(roboto)])
pdfmake.setLocalAccessPolicy((path) => allowed.has(path))

/** Deterministic if the definition has a `creationDate`, which defaults to the current time. */
export async function printPdf(definition: TDocumentDefinitions): Promise<Buffer> {
  return await pdfmake.createPdf(definition).getBuffer()
}

function fileOf(name: string): string {
  return createRequire(import.meta.url).resolve(`pdfmake/fonts/Roboto/${name}`)
}
