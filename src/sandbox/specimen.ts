// The placeholders of a specimen, as long as the real values.
export const blank = { id: '00000000-0000-4000-8000-000000000000', svc_shipment_id: '0000000000' }

/** Replaces the placeholders in a copy: that takes 0.01 ms, while pdfmake needs 10 ms to lay out a document. */
export function copySpecimen(specimen: Buffer, { id, svc_shipment_id }: typeof blank): Buffer {
  const copy = Buffer.from(specimen)
  overwrite(copy, blank.id, id)
  overwrite(copy, hexOf(blank.svc_shipment_id), hexOf(svc_shipment_id))
  return copy
}

// Of the same length, so that the offsets in the cross-reference table stay valid.
function overwrite(bytes: Buffer, old: string, text: string): void {
  const at = bytes.indexOf(old)
  if (at === -1 || old.length !== text.length) throw new Error(`${text} does not fit in place of ${old}`)
  bytes.write(text, at, 'latin1')
}

// The encoding of text in the page streams of pdfmake.
function hexOf(text: string): string {
  return Buffer.from(text, 'latin1').toString('hex')
}
