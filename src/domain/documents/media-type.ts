// The formats of trade documents; everything else is sent as bytes. None that a browser would execute.
const mediaTypes: Record<string, string> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  heic: 'image/heic',
  txt: 'text/plain; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  xml: 'application/xml',
  edi: 'application/edi-consent',
  eml: 'message/rfc822',
  rtf: 'application/rtf',
  zip: 'application/zip',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  msg: 'application/vnd.ms-outlook',
}

/** The media type of a file, by its name. */
export function mediaTypeOf(name: string): string {
  const extension = extensionOf(name)
  return (Object.hasOwn(mediaTypes, extension) && mediaTypes[extension]) || 'application/octet-stream'
}

/** In lower case, without its dot; empty if there is none. */
export function extensionOf(name: string): string {
  return /[^/]\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
}
