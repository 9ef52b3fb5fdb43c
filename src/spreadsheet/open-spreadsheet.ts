import { openCsv } from './csv-reader.js'
import { type Sheet, UnreadableTable } from './sheet.js'
import { openXlsx } from './xlsx-reader.js'

const zipMark = Buffer.from('504b0304', 'hex')
const compoundMark = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const pdfMark = Buffer.from('%PDF-', 'latin1')
const utf16Marks = [Buffer.of(0xff, 0xfe), Buffer.of(0xfe, 0xff)]

/** CSV or XLSX, recognised by the content. `unpacked`: bytes that a workbook may unpack to. */
export async function openSpreadsheet(content: Buffer, unpacked: number): Promise<Sheet[]> {
  const beginsWith = (mark: Buffer) => content.subarray(0, mark.length).equals(mark)
  if (beginsWith(zipMark)) return openXlsx(content, unpacked)
  if (beginsWith(compoundMark)) throw new UnreadableTable('is an XLS file, or has a password: save it as XLSX or CSV')
  const isBinary = beginsWith(pdfMark) || content.subarray(0, 4096).includes(0)
  if (isBinary && !utf16Marks.some(beginsWith)) throw new UnreadableTable('is neither CSV nor XLSX')
  return openCsv(inChunks(content))
}

async function* inChunks(content: Buffer): AsyncGenerator<Buffer> {
  const length = 64 * 1024
  for (let start = 0; start < content.length; start += length) yield content.subarray(start, start + length)
}
