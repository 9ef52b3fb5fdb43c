import { createReadStream } from 'node:fs'
import { dirname, join } from 'node:path'
import { importLines } from '../src/operator/import/import.js'
import { openDatabase } from '../src/storage/database.js'
import { documentFolder } from '../src/storage/document-folder.js'
import { tellMeasured } from './measured.js'

const [file, url] = process.argv.slice(2) as [string, string]
const db = openDatabase({ url }, { connections: 1 })
const files = documentFolder(join(dirname(file), 'documents'))
await db`select 1`
await tellMeasured(async () => {
  const { kept } = await importLines({ db, files }, createReadStream(file), {
    folder: undefined,
    skipInvalid: false,
    author: 'bench',
    onFault: ({ line, pointer, detail }) => console.error(`line ${line} ${pointer}: ${detail}`),
  })
  if (!kept) throw new Error('the import kept nothing')
})
await db.end()
