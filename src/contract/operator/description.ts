import { type TSchema, Type } from 'typebox'
import { bearerKey, type DescribedOperation, filesOf, type OpenApiDocument, openApiOf } from '../openapi.js'
import { OperatorProblem } from '../problem.js'
import { MessageForm } from '../public/message.js'
import { DocumentContentForm, DocumentUploadForm } from './documents.js'
import { operatorExamples } from './examples.js'
import { type OperatorOperation, operatorRefusalsOf, operatorTags, takesIdempotencyKey } from './operation.js'
import { type OperatorOperationName, operatorOperationNames, operatorOperations } from './operations.js'
import { rights } from './rights.js'

/** The OpenAPI description of the operator interface. */

const description = `The forwarder's interface of Waybill: accounts and their keys, locations, shipments, assignments of orders, tracking, invoices, documents, history and bulk import.

**[Guides](/ops/docs/guides/)**: quick start, tracking, paging, polling, the feed, errors, import, documents, retries, going live.

**Authentication.** Send \`Authorization: Bearer <key>\` with an operator's key (\`wb_op_...\`, created by \`waybill operator create\`). Customer keys do not work here, and operator keys do not work on \`/v1\`. People use the session of the office instead: the browser sends its cookie, and writes carry its token in \`X-CSRF-Token\`. The role determines what an operator may do: \`admin\`, \`operations\`, \`finance\` or \`viewer\`.

**Responses** contain the stored \`record\`, what the account sees (\`shown\`), and the revision with its time and author. \`warnings\` list values that were accepted, but look wrong.

**Nothing is overwritten.** The history has every version; \`as_of\` on a read returns what was known at that time, except for accounts, keys and PDFs.

**Errors** are problem bodies (RFC 9457) with a stable \`code\`; invalid input lists every error in \`errors\`.

**Retries are safe.** Send an \`Idempotency-Key\` with every write: for 24 hours a retry gets the first response. Imports and messages take none: the same content, sent again, changes nothing.`

// Request bodies other than JSON: forms with a file, and lines.
const otherBodies: Partial<Record<OperatorOperationName, { mediaType: string; body: TSchema }>> = {
  uploadMessageFile: { mediaType: 'multipart/form-data', body: MessageForm },
  uploadDocument: { mediaType: 'multipart/form-data', body: DocumentUploadForm },
  replaceDocument: { mediaType: 'multipart/form-data', body: DocumentContentForm },
  import: {
    mediaType: 'application/x-ndjson',
    body: Type.String({ description: 'One JSON object per line: `kind`, `account` and `data`.' }),
  },
  receiveMail: {
    mediaType: 'application/octet-stream',
    body: Type.String({ description: 'The mail as it came (RFC 5322), with its headers; at most 35 MiB.' }),
  },
  receiveMessage: {
    mediaType: 'application/octet-stream',
    body: Type.String({ description: 'The message as it came, in the format that the query names.' }),
  },
  previewMessage: {
    mediaType: 'application/octet-stream',
    body: Type.String({ description: 'The message, in the format that the query names.' }),
  },
  suggestDocument: {
    mediaType: 'application/octet-stream',
    body: Type.String({ description: 'The file, of at most 8 MiB; without it, only the name is looked at.' }),
  },
  importFreeTimeTable: {
    mediaType: 'application/octet-stream',
    body: Type.String({ description: 'CSV or XLSX, of at most 2 MB.' }),
  },
}

export function operatorOpenApi(): OpenApiDocument {
  return openApiOf({
    title: 'Waybill: operator interface',
    version: '1.0.0',
    description,
    security: bearerKey('An operator key (`wb_op_...`).'),
    tags: operatorTags,
    operations: Object.fromEntries(operatorOperationNames.map((name) => [name, describe(name)])),
    problem: OperatorProblem,
  })
}

function describe(name: OperatorOperationName): DescribedOperation {
  const operation: OperatorOperation = operatorOperations[name]
  const sent = otherBodies[name]
  return {
    operation: sent ? { ...operation, body: sent.body } : operation,
    tag: operation.tag,
    needs: `Roles: ${rights[operation.right].join(', ')}.`,
    refusals: operatorRefusalsOf(operation),
    withoutIdempotencyKey: !takesIdempotencyKey(operation),
    example: operatorExamples[name],
    bodyMediaType: sent?.mediaType,
    withoutValidator: operation.returns === 'file',
    responseFiles: operation.returns && filesOf(operation.success.body),
  }
}
