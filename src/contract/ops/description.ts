import { type TSchema, Type } from 'typebox'
import { bearerKey, type DescribedOperation, filesOf, type OpenApiDocument, openApiOf } from '../openapi.js'
import { OperatorProblem } from '../problem.js'
import { DocumentContentForm, DocumentUploadForm } from './documents.js'
import { operatorExamples } from './examples.js'
import { type OperatorOperation, operatorRefusalsOf, operatorTags, rights, takesIdempotencyKey } from './operation.js'
import { type OperatorOperationName, operatorOperationNames, operatorOperations } from './operations.js'

/** The OpenAPI description of the operator interface. */

const description = `The forwarder's side of Waybill: accounts and their keys, locations, shipments, what of orders is on them, tracking, invoices, documents, history and bulk import.

**Who is calling.** Send \`Authorization: Bearer <key>\` with an operator's key (\`wb_op_...\`, made by \`waybill operator create\`). Keys of customers do not work here, and these do not work on \`/v1\`. What an operator may do is told by the role: \`admin\`, \`operations\`, \`finance\` or \`viewer\`.

**Answers** tell of a resource what it is made of (\`record\`), what its account sees (\`shown\`), and which revision brought it, when and by whom. \`warnings\` tell what was accepted, but looks wrong.

**Nothing is overwritten.** Every version can be read back from the history; \`as_of\` on a read answers what was known at a time; accounts, keys and printed invoices are told as they are now.

**Errors** are problem bodies (RFC 9457) with a stable \`code\`; invalid input lists every fault in \`errors\`.

**Retries are safe.** Send an \`Idempotency-Key\` with every write: within 24 hours a retry gets the first answer again. An import takes none: the same lines, sent again, change nothing.`

// What is sent where that is no JSON: forms with their file, and lines.
const sentOtherwise: Partial<Record<OperatorOperationName, { mediaType: string; body: TSchema }>> = {
  uploadDocument: { mediaType: 'multipart/form-data', body: DocumentUploadForm },
  replaceDocument: { mediaType: 'multipart/form-data', body: DocumentContentForm },
  import: {
    mediaType: 'application/x-ndjson',
    body: Type.String({ description: 'One JSON object a line: `kind`, `account` and `data`.' }),
  },
}

export function operatorOpenApi(): OpenApiDocument {
  return openApiOf({
    title: 'Waybill: operator interface',
    version: '1.0.0',
    description,
    security: bearerKey('A key of an operator (`wb_op_...`).'),
    tags: operatorTags,
    operations: Object.fromEntries(operatorOperationNames.map((name) => [name, describe(name)])),
    problem: OperatorProblem,
  })
}

function describe(name: OperatorOperationName): DescribedOperation {
  const operation: OperatorOperation = operatorOperations[name]
  const sent = sentOtherwise[name]
  return {
    operation: sent ? { ...operation, body: sent.body } : operation,
    tag: operation.tag,
    needs: `Roles: ${rights[operation.right].join(', ')}.`,
    refusals: operatorRefusalsOf(operation),
    withoutIdempotencyKey: !takesIdempotencyKey(operation),
    example: operatorExamples[name],
    bodyMediaType: sent?.mediaType,
    withoutValidator: operation.answers === 'file',
    answerFiles: operation.answers && filesOf(operation.success.body),
  }
}
