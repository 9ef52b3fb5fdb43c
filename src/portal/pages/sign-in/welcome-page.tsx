import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { PersonalLink } from '../../../contract/portal/people.js'
import { api, faultsByPointer, refusalCodeOf } from '../../api/client.js'
import { linkQuery } from '../../api/queries.js'
import { useMessages } from '../../i18n/messages.js'
import { AppLink } from '../../parts/app-link.js'
import { ErrorState, Lines } from '../../parts/states.js'
import { paths } from '../../paths.js'
import { useBegin } from './begin.js'
import { Frame } from './frame.js'
import { ProblemNotice } from './notice.js'
import styles from './sign-in.module.css'

/** Whoever comes by a link from a mail: invited, or to choose a new password. */
export function WelcomePage() {
  const { token = '' } = useParams({ strict: false })
  const { welcome: m, common } = useMessages()
  // It works once: what was used is not asked for again.
  const [used, setUsed] = useState<PersonalLink>()
  const link = useQuery({ ...linkQuery(token), enabled: used === undefined })
  const shown = used ?? link.data

  if (shown) return <PasswordChoice token={token} link={shown} onUsed={() => setUsed(shown)} />
  if (!link.error) {
    return (
      <Frame title={common.productName}>
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
      <Button component={AppLink} href={paths.forgot()} variant="default" size="md" fullWidth>
        {m.askAgain}
      </Button>
    </Frame>
  )
}

// A link that was cut off on its way is as good as none.
function isGone(error: unknown): boolean {
  const code = refusalCodeOf(error)
  return code === 'link_not_valid' || code === 'invalid_request'
}

type PasswordChoiceProps = { token: string; link: PersonalLink; onUsed(): void }

function PasswordChoice({ token, link, onUsed }: PasswordChoiceProps) {
  const { welcome: m } = useMessages()
  const begin = useBegin()
  const isInvited = link.purpose === 'invitation'
  const [name, setName] = useState(link.name)
  const [password, setPassword] = useState('')
  const choose = useMutation({
    mutationFn: () =>
      api.portal.useLink({ params: { token }, body: { password, ...(isInvited && { name: name.trim() }) } }),
    onSuccess: (session) => {
      onUsed()
      return begin(session)
    },
  })
  const faults = faultsByPointer(choose.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    choose.mutate()
  }

  return (
    <Frame
      title={isInvited ? m.invitationTitle(link.account_name) : m.resetTitle}
      lead={isInvited ? m.invitationLead : m.resetLead}
    >
      <form className={styles.form} onSubmit={submit} noValidate>
        {choose.error && Object.keys(faults).length === 0 && <ProblemNotice error={choose.error} />}
        <TextInput
          label={m.email}
          type="email"
          name="email"
          autoComplete="username"
          value={link.email}
          size="md"
          readOnly
        />
        {isInvited && (
          <TextInput
            label={m.name}
            name="name"
            autoComplete="name"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={faults['/name'] && m.nameFault}
            size="md"
            required
            withAsterisk={false}
          />
        )}
        <PasswordInput
          label={m.password}
          description={m.passwordHint}
          name="password"
          autoComplete="new-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={faults['/password'] && m.passwordFault}
          visibilityToggleButtonProps={{ 'aria-label': m.show }}
          size="md"
          required
          withAsterisk={false}
        />
        <Button type="submit" size="md" loading={choose.isPending} fullWidth>
          {m.submit}
        </Button>
      </form>
    </Frame>
  )
}
