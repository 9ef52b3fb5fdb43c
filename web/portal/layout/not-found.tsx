import { AppLink } from '../../ui/app-link.js'
import { Page } from '../../ui/page.js'
import { useMessages } from '../i18n/messages.js'
import { paths } from '../paths.js'
import { site } from '../site.js'

export function NotFound() {
  const { common, office } = useMessages()
  return (
    <Page title={common.notFoundTitle} lead={common.notFoundText}>
      <p>
        <AppLink href={paths.home()}>{site === 'office' ? office.toOffice : common.toOverview}</AppLink>
      </p>
    </Page>
  )
}
