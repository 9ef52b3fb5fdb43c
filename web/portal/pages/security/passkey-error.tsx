import { WaybillError } from '../../../../src/client/response.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { useMessages } from '../../i18n/messages.js'

/** Why a passkey was not used: the service refused it, or the browser or the person did not provide one. */
export function PasskeyError({ error }: { error: unknown }) {
  const m = useMessages().security
  if (error === null || error === undefined) return null
  return <ErrorNotice error={error} text={error instanceof WaybillError ? undefined : m.passkeyCancelled} />
}
