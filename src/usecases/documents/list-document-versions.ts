import { findRevisionAt, listIdsAt, listVersionsOf } from '../../ledger/history.js'
import { streamDocumentBodies } from '../../store/documents.js'
import { getVersion } from '../history/versions.js'
import type { OperatorHandler } from '../operator-context.js'
import { documentVersion } from './document-record.js'

export const listDocumentVersions: OperatorHandler<'listDocuments'> = async (
  { db, account, signLink },
  { query: { skip = 0, take = 20, as_of, ...filter } },
) => {
  if (as_of !== undefined) {
    const revision = await findRevisionAt(db, account, as_of)
    const ids = await listIdsAt(db, account, 'document', revision, { skip, take }, filter)
    const versions = await listVersionsOf(db, account, 'document', ids, revision)
    return versions.map((version) => documentVersion(version, account, signLink))
  }
  const ids: string[] = []
  for await (const rows of streamDocumentBodies((work) => work(db), account, filter, { skip, take })) {
    ids.push(...rows.map(([, , id]) => String(id)))
  }
  const versions = await listVersionsOf(db, account, 'document', ids)
  return versions.map((version) => documentVersion(version, account, signLink))
}

export const getDocumentVersion: OperatorHandler<'getDocument'> = async (
  { db, account, signLink },
  { params: { id }, query: { as_of } },
) => {
  const { version } = await getVersion(db, account, 'document', id.toLowerCase(), {
    asOf: as_of,
    missing: 'document_not_found',
  })
  return documentVersion(version, account, signLink)
}
