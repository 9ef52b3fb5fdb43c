import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useMessages } from '../i18n/messages.js'
import { Page } from '../parts/page.js'
import { ErrorState, isOutdated } from '../parts/states.js'

/** A page that could not be shown: what happened, and how to go on. */
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
