import { AppLink } from '../../ui/app-link.js'
import { Page } from '../../ui/page.js'
import { useMessages } from '../i18n/messages.js'
import { paths } from '../paths.js'

export function NotFound() {
  const { common } = useMessages()
  return (
    <Page title={common.notFoundTitle} lead={common.notFoundText}>
      <p>
        <AppLink href={paths.overview()}>{common.toOverview}</AppLink>
      </p>
    </Page>
  )
}
