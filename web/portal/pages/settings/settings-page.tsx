import { Page } from '../../../ui/page.js'
import { useSession } from '../../api/session.js'
import { useMessages } from '../../i18n/messages.js'
import { SecuritySection } from '../security/security-section.js'
import { CalendarsSection } from './calendars-section.js'
import { DisplaySection } from './display-section.js'
import { NameSection } from './name-section.js'
import { NotificationsSection } from './notifications-section.js'
import { PasswordSection } from './password-section.js'
import { SessionsSection } from './sessions-section.js'
import styles from './settings.module.css'

export function SettingsPage() {
  const { settings: m, statuses } = useMessages()
  const { person } = useSession()
  return (
    <Page title={m.title} lead={m.lead(person.email, statuses.role[person.role])}>
      <div className={styles.sections}>
        <NameSection />
        <DisplaySection />
        <NotificationsSection />
        <CalendarsSection />
        <PasswordSection />
        <SecuritySection />
        <SessionsSection />
      </div>
    </Page>
  )
}
