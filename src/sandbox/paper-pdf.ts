import type { Content, TDocumentDefinitions } from 'pdfmake/interfaces.js'
import { printPdf } from '../paper/pdf.js'
import { printable } from '../paper/printable.js'
import type { Paper } from './paperwork.js'

/** A document of the demo as a PDF. */

export async function printPaper(paper: Paper): Promise<Buffer> {
  return await printPdf(layOut(paper))
}

function layOut(paper: Paper): TDocumentDefinitions {
  // The date goes into the file's identifier: with the clock's, the same document would differ on every run.
  const written = new Date(`${paper.uploaded_at}T00:00:00Z`)
  return {
    info: { title: printable(paper.title), author: 'Waybill demo', subject: paper.id, creationDate: written },
    defaultStyle: { font: 'Helvetica', fontSize: 9 },
    pageSize: 'A4',
    content: [
      { text: printable(paper.title), fontSize: 20, margin: [0, 0, 0, 2] },
      { text: 'Specimen for demonstration, not a valid document', color: grey, margin: [0, 0, 0, 12] },
      { columns: paper.parties.map(labelled), columnGap: 16, margin: [0, 0, 0, 12] },
      {
        table: {
          widths: [110, '*'],
          body: paper.facts.map(([label, text]) => [{ text: label, color: grey }, printable(text)]),
        },
        layout: 'lightHorizontalLines',
        margin: [0, 0, 0, 12],
      },
      {
        table: {
          headerRows: 1,
          widths: [80, '*', 50, 90, 60],
          body: paper.table.map((row, index) =>
            row.map((text) => ({ text: printable(text), ...(index === 0 && { fillColor: '#eeeeee' }) })),
          ),
        },
        margin: [0, 0, 0, 12],
      },
      printable(paper.statement),
    ],
  }
}

const grey = '#777777'

function labelled([label, text]: [string, string]): Content {
  return { stack: [{ text: label, color: grey }, printable(text)] }
}
