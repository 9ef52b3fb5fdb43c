import { printable } from '../paper/printable.js'
import type { Paper } from './paperwork.js'

/** A document as the smallest PDF that says it: a page of plain lines, made in no time, for data of any size. */

export function printPlainly(paper: Paper): Buffer {
  const lines = [
    paper.title,
    '',
    ...[...paper.parties, ...paper.facts].map(([label, text]) => `${label}: ${text.replaceAll('\n', ', ')}`),
    '',
    ...paper.table.map((row) => row.filter((cell) => cell !== '').join('   ')),
    '',
    paper.statement,
  ]
  const text = lines.map((line) => `(${escaped(printable(line))}) Tj T*`).join('\n')
  const content = `BT /F1 10 Tf 14 TL 50 790 Td\n${text}\nET`
  return assemble([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R' +
      ' /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${Buffer.byteLength(content, 'latin1')} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ])
}

// Parentheses and backslashes delimit strings; what lies between Latin-1 and Windows-1252 is written in ASCII.
function escaped(text: string): string {
  return text
    .replace(/[–—]/g, '-')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[^\x20-\xff]/g, '')
    .replace(/[\\()]/g, (character) => `\\${character}`)
}

function assemble(objects: string[]): Buffer {
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const start = file.length
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}
