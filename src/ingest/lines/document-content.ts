import { type FileHandle, open, realpath } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import type { Readable } from 'node:stream'
import type { Fault } from '../../contract/refusals.js'
import type { Intake } from '../../documents/document-files.js'
import { findFileFault } from '../../usecases/documents/document-content.js'
import type { GivenDocument } from './given-document.js'
import { inData, limited, type RejectedReading, type StagedReading } from './read-line.js'
import { stageDocument } from './stage-line.js'

type Content = { stored: { size: number; content_hash: string }; faults?: undefined } | { faults: Fault[] }

export type ContentSource = {
  intake: Intake
  /** The folder that `file` of a document is relative to; undefined where lines come without files. */
  folder: string | undefined
  /** Refuse the types of files that uploads refuse. */
  checksFileTypes: boolean
}

/** Stores the content of a document, and returns what is staged of it. */
export async function takeInDocument(
  document: GivenDocument,
  source: ContentSource,
): Promise<StagedReading | RejectedReading> {
  const content = await takeInContent(document, source)
  if (content.faults) return { faults: inData(content.faults) }
  // A size that is given keeps its place among the fields.
  return limited(stageDocument(document, content.stored))
}

/** From the line itself or from the file that it names. */
async function takeInContent(
  { data: { name }, content, file }: GivenDocument,
  { intake, folder, checksFileTypes }: ContentSource,
): Promise<Content> {
  async function store(bytes: Buffer | Readable): Promise<Content> {
    const { hash, size, path } = await intake.add(bytes)
    const fault = checksFileTypes ? await findFileFault({ name, size, path }) : undefined
    if (fault) return { faults: [{ pointer: '/content_base64', detail: fault.detail }] }
    return { stored: { size, content_hash: hash } }
  }

  if (content !== undefined) return store(content)
  if (folder === undefined)
    return { faults: [{ pointer: '/file', detail: 'no files come with these lines: send content_base64' }] }
  const handle = await openBeside(folder, file ?? '')
  if (!handle) return { faults: [{ pointer: '/file', detail: `there is no file ${file} beside the import file` }] }
  return store(handle.createReadStream())
}

// Only files below the folder of the import: a line must not read other files of the machine.
async function openBeside(folder: string, file: string): Promise<FileHandle | undefined> {
  const path = await realpath(join(folder, file)).catch(() => undefined)
  const inside = path && relative(await realpath(folder), path)
  if (!path || !inside || inside.startsWith('..') || isAbsolute(inside)) return undefined
  const handle = await open(path).catch(() => undefined)
  if (!handle || (await handle.stat()).isFile()) return handle
  await handle.close()
  return undefined
}
