import { createRequire } from 'node:module'
import pdfmake from 'pdfmake'
import type { TDocumentDefinitions } from 'pdfmake/interfaces.js'

/** PDF without anything from elsewhere: in the fonts that every reader has, or in one that lies beside pdfmake. */

// A cut is read when a document first uses it, for each document anew, and that takes longer than all the rest.
const helvetica = { normal: 'Helvetica', bold: 'Helvetica-Bold' }
// Latin, Greek and Cyrillic. Only the letters that are used are put into the file; what it lacks is shown as a box.
const roboto = { normal: fileOf('Roboto-Regular.ttf'), bold: fileOf('Roboto-Medium.ttf') }
pdfmake.setFonts({ Helvetica: helvetica, Roboto: roboto })
pdfmake.setUrlAccessPolicy(() => false)
// The name of a standard font passes through the same gate as a file does.
const allowed = new Set([...Object.values(helvetica), ...Object.values(roboto)])
pdfmake.setLocalAccessPolicy((path) => allowed.has(path))

/** The same definition gives the same bytes, if it carries its `creationDate`: without one, the clock's is taken. */
export async function printPdf(definition: TDocumentDefinitions): Promise<Buffer> {
  return await pdfmake.createPdf(definition).getBuffer()
}

function fileOf(cut: string): string {
  return createRequire(import.meta.url).resolve(`pdfmake/fonts/Roboto/${cut}`)
}
