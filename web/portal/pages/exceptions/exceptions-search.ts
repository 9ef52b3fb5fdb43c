import {
  type ExceptionKind,
  exceptionKinds,
  type Severity,
  severities,
} from '../../../../src/contract/public/exception.js'
import { readerOf, withoutBlanks } from '../../../../src/domain/records/query-values.js'

/** The parameters of the address. Without a state: what nobody has acknowledged. */
export type ExceptionsSearch = {
  kind?: ExceptionKind
  severity?: Severity
  state?: 'open' | 'closed'
  svc_shipment_id?: string
  po_number?: string
}

export function readExceptionsSearch(raw: Record<string, string>): ExceptionsSearch {
  const { text, oneOf } = readerOf(raw)
  return withoutBlanks<ExceptionsSearch>({
    kind: oneOf('kind', exceptionKinds),
    severity: oneOf('severity', severities),
    state: oneOf('state', ['open', 'closed'] as const),
    svc_shipment_id: text('svc_shipment_id', 255),
    po_number: text('po_number', 255),
  })
}

export const blankFilters = {
  kind: undefined,
  severity: undefined,
  svc_shipment_id: undefined,
  po_number: undefined,
} satisfies { [Name in keyof Required<Omit<ExceptionsSearch, 'state'>>]: undefined }

/** The query of the server. */
export function exceptionFilterOf({ state, ...search }: ExceptionsSearch) {
  return { ...search, state: state ?? ('unacknowledged' as const) }
}
