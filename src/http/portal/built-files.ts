import { readFile } from 'node:fs/promises'

/**
 * The portal's files, as the build made them: a list and their bytes. What is not in the list does not exist. All of them
 * are kept, a few megabytes: a service that runs goes on with what it began with when another build takes its place.
 */

type Listed = { path: string; type: string; etag: string; encodings: string[] }

export type BuiltFile = Listed & {
  /** In one of its encodings, or plain. */
  bytesIn(encoding: string | undefined): Buffer
}

export class NotBuilt extends Error {
  constructor(cause: unknown) {
    super('the portal is not built: run `npm run build`', { cause })
    this.name = 'NotBuilt'
  }
}

export function builtFiles(folder: URL): { find(path: string): Promise<BuiltFile | undefined> } {
  // When somebody first opens the portal, not whenever the service starts.
  let files: Promise<Map<string, BuiltFile>> | undefined

  return {
    async find(path) {
      files ??= readFiles(folder).catch((error: unknown) => {
        files = undefined
        throw new NotBuilt(error)
      })
      return (await files).get(path)
    },
  }
}

async function readFiles(folder: URL): Promise<Map<string, BuiltFile>> {
  const list = JSON.parse(await readFile(new URL('files.json', folder), 'utf8')) as Listed[]
  const files = await Promise.all(list.map((listed) => readForms(folder, listed)))
  return new Map(files.map((file) => [file.path, file]))
}

async function readForms(folder: URL, listed: Listed): Promise<BuiltFile> {
  const { path, encodings } = listed
  const plain = await readFile(new URL(path, folder))
  const packed = await Promise.all(
    encodings.map(async (encoding) => [encoding, await readFile(new URL(`${path}.${encoding}`, folder))] as const),
  )
  const forms = new Map(packed)
  return { ...listed, bytesIn: (encoding) => forms.get(encoding ?? '') ?? plain }
}

/** The first of the encodings there are that a client takes (RFC 9110, 12.5.3); undefined: as it is. */
export function encodingFor(accepted: string | undefined, encodings: string[]): string | undefined {
  const weights = new Map(
    (accepted ?? '').split(',').map((item) => {
      const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))
      return [name, weight === undefined ? 1 : Number(weight.slice(2))]
    }),
  )
  return encodings.find((encoding) => (weights.get(encoding) ?? weights.get('*') ?? 0) > 0)
}
