import { readFile } from 'node:fs/promises'

/** The portal's files, as the build made them: a list and their bytes. What is not in the list does not exist. */

export type BuiltFile = { path: string; type: string; etag: string; encodings: string[] }

export type BuiltFiles = {
  find(path: string): Promise<BuiltFile | undefined>
  /** In one of its encodings, or plain. */
  read(file: BuiltFile, encoding: string | undefined): Promise<Buffer>
}

export class NotBuilt extends Error {
  constructor(cause: unknown) {
    super('the portal is not built: run `npm run build`', { cause })
    this.name = 'NotBuilt'
  }
}

export function builtFiles(folder: URL): BuiltFiles {
  // When somebody first opens the portal, not whenever the service starts.
  let list: Promise<Map<string, BuiltFile>> | undefined
  const kept = new Map<string, Promise<Buffer>>()

  async function readList(): Promise<Map<string, BuiltFile>> {
    try {
      const files = JSON.parse(await readFile(new URL('files.json', folder), 'utf8')) as BuiltFile[]
      return new Map(files.map((file) => [file.path, file]))
    } catch (error) {
      list = undefined
      throw new NotBuilt(error)
    }
  }

  return {
    async find(path) {
      list ??= readList()
      return (await list).get(path)
    },
    read({ path }, encoding) {
      const name = encoding === undefined ? path : `${path}.${encoding}`
      const known = kept.get(name) ?? readFile(new URL(name, folder))
      kept.set(name, known)
      known.catch(() => kept.delete(name))
      return known
    },
  }
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
