import { useMutation, useQuery } from '@tanstack/react-query'
import { useLocation, useParams, useRouter } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { PersonalLink } from '../../../../src/contract/portal/people.js'
import { Button, ButtonLink } from '../../../ui/button.js'
import { Field } from '../../../ui/field.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { PasswordField } from '../../../ui/password-field.js'
import { ErrorState, Lines } from '../../../ui/states.js'
import { api, faultsByPointer, refusalCodeOf } from '../../api/client.js'
import { linkQuery } from '../../api/queries.js'
import { useMessages, useProductName } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import { Frame } from './frame.js'
import { SecondFactor } from './second-factor.js'
import styles from './sign-in.module.css'
import { useStartSession } from './start-session.js'

/** The target of mailed links: invitations and password resets. */
export function WelcomePage() {
  const { hash } = useLocation()
  // Older e-mails have the token in the path.
  const { token = hash } = useParams({ strict: false })
  const { welcome: m, common } = useMessages()
  const productName = useProductName()
  // A used link is not fetched again: it works once.
  const [used, setUsed] = useState<PersonalLink>()
  const link = useQuery({ ...linkQuery(token), enabled: used === undefined })
  const shown = used ?? link.data

  if (shown) return <PasswordChoice token={token} link={shown} onUsed={() => setUsed(shown)} />
  if (!link.error) {
    return (
      <Frame title={productName}>
        <Lines count={4} />
      </Frame>
    )
  }
  if (!isGone(link.error)) {
    return (
      <Frame title={common.errorTitle}>
        <ErrorState error={link.error} retry={() => void link.refetch()} />
      </Frame>
    )
  }
  return (
    <Frame title={m.invalidTitle} lead={m.invalidText}>
      <ButtonLink href={paths.forgot()} variant="default" size="md" fullWidth>
        {m.askAgain}
      </ButtonLink>
    </Frame>
  )
}

// A truncated link fails validation.
function isGone(error: unknown): boolean {
  const code = refusalCodeOf(error)
  return code === 'link_not_valid' || code === 'invalid_request'
}

const shortestPassword = 10

type PasswordChoiceProps = { token: string; link: PersonalLink; onUsed(): void }

function PasswordChoice({ token, link, onUsed }: PasswordChoiceProps) {
  const { welcome: m } = useMessages()
  const startSession = useStartSession()
  const router = useRouter()
  const isInvited = link.purpose === 'invitation'
  const [name, setName] = useState(link.name)
  const [password, setPassword] = useState('')
  const choose = useMutation({
    mutationFn: () => api.portal.useLink({ body: { token, password, ...(isInvited && { name: name.trim() }) } }),
    onSuccess: (session) => {
      onUsed()
      return startSession(session)
    },
    // The password is saved: the link was used.
    onError: (error) => {
      if (refusalCodeOf(error) === 'second_factor_required') onUsed()
    },
  })
  const isPending = refusalCodeOf(choose.error) === 'second_factor_required'
  const faults = faultsByPointer(choose.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    choose.mutate()
  }

  if (isPending) return <SecondFactor onCancel={() => void router.navigate({ href: paths.signIn() })} />
  return (
    <Frame
      title={isInvited ? m.invitationTitle(link.account_name) : m.resetTitle}
      lead={isInvited ? m.invitationLead : m.resetLead}
    >
      <form className={styles.form} onSubmit={submit} noValidate>
        {choose.error && Object.keys(faults).length === 0 && <ErrorNotice error={choose.error} />}
        <Field
          label={m.email}
          type="email"
          name="email"
          autoComplete="username"
          value={link.email}
          size="md"
          readOnly
        />
        {isInvited && (
          <Field
            label={m.name}
            name="name"
            autoComplete="name"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={faults['/name'] && m.nameFault}
            size="md"
            required
          />
        )}
        <PasswordField
          label={m.password}
          description={m.passwordHint}
          name="password"
          autoComplete="new-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={faults['/password'] && (password.length < shortestPassword ? m.passwordFault : m.passwordCommon)}
          size="md"
          required
        />
        <Button type="submit" size="md" loading={choose.isPending} fullWidth>
          {m.submit}
        </Button>
      </form>
    </Frame>
  )
}
