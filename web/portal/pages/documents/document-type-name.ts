import type { Document } from '../../../../src/contract/public/document.js'
import type { Messages } from '../../i18n/messages.js'

export function documentTypeName(type: Document['type'], { statuses }: Messages): string {
  return statuses.documentType[type ?? 'other']
}
