import { useSession } from '../../api/session.js'
import { useMessages } from '../../i18n/messages.js'
import { Page } from '../../parts/page.js'
import { NameSection } from './name-section.js'
import { PasswordSection } from './password-section.js'
import { ReadingSection } from './reading-section.js'
import styles from './settings.module.css'

/** What somebody says of themselves, how they read, and their password. */
export function SettingsPage() {
  const { settings: m, statuses } = useMessages()
  const { person } = useSession()
  return (
    <Page title={m.title} lead={m.lead(person.email, statuses.role[person.role])}>
      <div className={styles.sections}>
        <NameSection />
        <ReadingSection />
        <PasswordSection />
      </div>
    </Page>
  )
}
