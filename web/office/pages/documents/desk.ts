import { useSyncExternalStore } from 'react'
import { readResponse, WaybillError } from '../../../../src/client/response.js'
import type { DocumentSuggestion, SuggestedShipment } from '../../../../src/contract/operator/document-suggestions.js'
import { mostSuggestionBytes } from '../../../../src/contract/operator/suggestion-limits.js'
import type { DocumentType } from '../../../../src/contract/public/document-types.js'
import { options } from '../../api/ops.js'

/** The files on the desk. They belong to the tab, not to the page: they are still there after another page was looked at. */

export type DeskFile = {
  /** That of the document, so that a repeated upload is known as the same. */
  id: string
  file: File
  state: 'waiting' | 'reading' | 'ready' | 'filing' | 'filed' | 'failed'
  suggestion?: DocumentSuggestion
  /** What was suggested or looked up, to choose from. */
  shipments: SuggestedShipment[]
  type: DocumentType | ''
  target: string
  error?: unknown
}

export const maxFileBytes = 100 * 1024 * 1024

let files: DeskFile[] = []
const listeners = new Set<() => void>()

function set(next: DeskFile[]): void {
  files = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useDesk(): DeskFile[] {
  return useSyncExternalStore(subscribe, () => files)
}

export function changeFile(id: string, change: Partial<DeskFile>): void {
  set(files.map((each) => (each.id === id ? { ...each, ...change } : each)))
}

export function removeFile(id: string): void {
  set(files.filter((each) => each.id !== id))
}

/** Takes what was filed off the desk. */
export function clearFiled(): void {
  set(files.filter(({ state }) => state !== 'filed'))
}

export function addFiles(added: File[]): void {
  const rows = added.map(
    (file): DeskFile => ({ id: crypto.randomUUID(), file, state: 'waiting', shipments: [], type: '', target: '' }),
  )
  set([...files, ...rows])
  for (let reader = 0; reader < readers; reader += 1) void readNext()
}

// The service reads one at a time; the other is on its way meanwhile.
const readers = 2
let reading = 0

async function readNext(): Promise<void> {
  if (reading >= readers) return
  reading += 1
  try {
    for (let next = nextToRead(); next; next = nextToRead()) {
      changeFile(next.id, { state: 'reading' })
      await read(next)
    }
  } finally {
    reading -= 1
  }
}

function nextToRead(): DeskFile | undefined {
  return files.find(({ state }) => state === 'waiting')
}

async function read({ id, file }: DeskFile): Promise<void> {
  try {
    const suggestion = await suggest(file)
    const [first] = suggestion.shipments
    changeFile(id, {
      state: 'ready',
      suggestion,
      shipments: suggestion.shipments,
      type: suggestion.type?.type ?? '',
      target: first ? targetOf(first) : '',
    })
  } catch {
    // Without a suggestion it is filed by hand.
    changeFile(id, { state: 'ready' })
  }
}

// Pictures have no text, and others are looked at by their name.
const withText = /\.(?:pdf|xlsx|txt|csv|edi|xml|json|eml)$/i

async function suggest(file: File): Promise<DocumentSuggestion> {
  const isSent = withText.test(file.name) && file.size <= mostSuggestionBytes
  const address = `/ops/v1/documents/suggestion?name=${encodeURIComponent(file.name.slice(-255))}`
  const request = { method: 'POST', headers: { 'content-type': 'application/octet-stream' } }
  const response = await readResponse(options.fetch(address, { ...request, body: isSent ? file : '' }))
  return response.data as DocumentSuggestion
}

export function targetOf({ account, svc_shipment_id }: { account: string; svc_shipment_id: string }): string {
  return `${account}\n${svc_shipment_id}`
}

export function isFileable({ state, target }: DeskFile): boolean {
  return (state === 'ready' || state === 'failed') && target !== ''
}

/** Uploads a file. One that fails keeps its error and stays on the desk. */
export async function fileDocument(row: DeskFile): Promise<boolean> {
  changeFile(row.id, { state: 'filing', error: undefined })
  try {
    await upload(row)
    changeFile(row.id, { state: 'filed' })
    return true
  } catch (error) {
    const isKnown = error instanceof WaybillError && error.code === 'document_exists'
    changeFile(row.id, isKnown ? { state: 'filed' } : { state: 'failed', error })
    return isKnown
  }
}

async function upload({ id, file, type, target }: DeskFile): Promise<void> {
  const [account = '', svc_shipment_id = ''] = target.split('\n')
  const body = new FormData()
  body.set('id', id)
  body.set('svc_shipment_id', svc_shipment_id)
  if (type !== '') body.set('type', type)
  body.set('file', file)
  const address = `/ops/v1/accounts/${encodeURIComponent(account)}/documents`
  await readResponse(options.fetch(address, { method: 'POST', body }))
}

/** Puts files back that were filed and withdrawn: as new documents, since the others keep their identifiers. */
export function putBack(ids: string[]): void {
  set(files.map((each) => (ids.includes(each.id) ? { ...each, id: crypto.randomUUID(), state: 'ready' } : each)))
}
