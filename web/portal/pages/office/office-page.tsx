import type { OfficeSession } from '../../../../src/contract/office/operations.js'
import { Button } from '../../../ui/button.js'
import { useNotice } from '../../../ui/notice.js'
import { Page } from '../../../ui/page.js'
import { useMay, useSession } from '../../api/session.js'
import { useMessages, useProductName } from '../../i18n/messages.js'
import { ConnectionNotice } from '../../layout/connection-notice.js'
import { LoadingLine } from '../../layout/loading-line.js'
import { Logo } from '../../layout/logo.js'
import { Reauthentication } from '../../layout/reauthentication.js'
import { useSignOut } from '../../layout/sign-out.js'
import { SecuritySection } from '../security/security-section.js'
import { DisplaySection } from '../settings/display-section.js'
import { PasswordSection } from '../settings/password-section.js'
import { SessionsSection } from '../settings/sessions-section.js'
import { SignInRules } from '../team/sign-in-rules.js'
import styles from './office.module.css'

/** The signed-in operator: name and role, password, second factors and sessions. */
export function OfficePage() {
  const { office: m, nav, statuses } = useMessages()
  const productName = useProductName()
  const { person } = useSession() as unknown as OfficeSession
  const isAdmin = useMay('administer')
  const signOut = useSignOut()
  const [notice, notify] = useNotice()
  return (
    <div className={styles.office}>
      <LoadingLine />
      <header className={styles.head}>
        <p className={styles.brand}>
          <Logo />
          {productName}
        </p>
        <Button variant="default" onClick={signOut}>
          {nav.signOut}
        </Button>
      </header>
      <main className={styles.main}>
        <ConnectionNotice />
        <Page title={person.name} lead={m.lead(person.email, statuses.operatorRole[person.role])}>
          <div className={styles.sections}>
            <PasswordSection />
            <SecuritySection />
            <SessionsSection />
            {isAdmin && (
              <>
                {notice}
                <SignInRules notify={notify} />
              </>
            )}
            <DisplaySection />
          </div>
        </Page>
      </main>
      <Reauthentication />
    </div>
  )
}
