import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { Page } from '../../ui/page.js'
import { ErrorState, isOutdated } from '../../ui/states.js'
import { useMessages } from '../i18n/messages.js'

/** Shown in place of a page that failed to load or render. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const { common } = useMessages()
  const router = useRouter()
  const retry = () => {
    if (isOutdated(error)) window.location.reload()
    reset()
    void router.invalidate()
  }
  return (
    <Page title={isOutdated(error) ? common.newerTitle : common.errorTitle}>
      <div className="panel">
        <ErrorState error={error} retry={retry} />
      </div>
    </Page>
  )
}
