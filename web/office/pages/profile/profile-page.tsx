import { useSession } from '../../../portal/api/session.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import { useSignOut } from '../../../portal/layout/sign-out.js'
import { SecuritySection } from '../../../portal/pages/security/security-section.js'
import { DisplaySection } from '../../../portal/pages/settings/display-section.js'
import { PasswordSection } from '../../../portal/pages/settings/password-section.js'
import { SessionsSection } from '../../../portal/pages/settings/sessions-section.js'
import { SignInRules } from '../../../portal/pages/team/sign-in-rules.js'
import { Button } from '../../../ui/button.js'
import { useNotice } from '../../../ui/notice.js'
import { Page } from '../../../ui/page.js'
import { useMayDo, useOperator } from '../../api/ops.js'
import styles from './profile.module.css'

/** The signed-in operator: name and role, password, second factors and sessions. */
export function ProfilePage() {
  const { office: m, nav, statuses } = useMessages()
  const signOut = useSignOut()
  const { name, role } = useOperator()
  const { email } = useSession().person
  const isAdmin = useMayDo('administer')
  const [notice, notify] = useNotice()
  return (
    <Page
      title={name}
      lead={m.lead(email, statuses.operatorRole[role])}
      actions={
        <Button variant="default" onClick={signOut}>
          {nav.signOut}
        </Button>
      }
    >
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
  )
}
