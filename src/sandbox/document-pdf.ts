import type { Content, TDocumentDefinitions } from 'pdfmake/interfaces.js'
import { printPdf } from '../pdf/pdf.js'
import { printable } from '../pdf/printable.js'
import type { SampleDocument } from './shipment-documents.js'
import { blank } from './specimen.js'

/** The documents of the sandbox as PDFs. */

export async function printDocument(document: SampleDocument): Promise<Buffer> {
  return printPdf(layOut(document))
}

/** A template with placeholders, from which `copySpecimen` makes documents. */
export async function printSpecimen(): Promise<Buffer> {
  const document: LaidOut = {
    ...blank,
    title: 'Shipping document',
    uploaded_at: '2000-01-01',
    parties: [],
    facts: [['Shipment', blank.svc_shipment_id]],
    table: [],
    statement: 'Generated to fill an installation with data.',
  }
  return printPdf({ ...layOut(document), compress: false })
}

type LaidOut = Pick<SampleDocument, 'id' | 'title' | 'uploaded_at' | 'parties' | 'facts' | 'table' | 'statement'>

function layOut(document: LaidOut): TDocumentDefinitions {
  // The date is part of the file identifier: with the current time, the same document would differ on every run.
  const written = new Date(`${document.uploaded_at}T00:00:00Z`)
  return {
    info: { title: printable(document.title), author: 'Waybill demo', subject: document.id, creationDate: written },
    defaultStyle: { font: 'Helvetica', fontSize: 9 },
    pageSize: 'A4',
    content: [
      { text: printable(document.title), fontSize: 20, margin: [0, 0, 0, 2] },
      { text: 'Specimen for demonstration, not a valid document', color: grey, margin: [0, 0, 0, 12] },
      { columns: document.parties.map(labelled), columnGap: 16, margin: [0, 0, 0, 12] },
      {
        table: {
          widths: [110, '*'],
          body: document.facts.map(([label, text]) => [{ text: label, color: grey }, printable(text)]),
        },
        layout: 'lightHorizontalLines',
        margin: [0, 0, 0, 12],
      },
      ...(document.table.length > 0 ? [goodsTable(document.table)] : []),
      printable(document.statement),
    ],
  }
}

const grey = '#777777'

function goodsTable(rows: string[][]): Content {
  return {
    table: {
      headerRows: 1,
      widths: [80, '*', 50, 90, 60],
      body: rows.map((row, index) =>
        row.map((text) => ({ text: printable(text), ...(index === 0 && { fillColor: '#eeeeee' }) })),
      ),
    },
    margin: [0, 0, 0, 12],
  }
}

function labelled([label, text]: [string, string]): Content {
  return { stack: [{ text: label, color: grey }, printable(text)] }
}
