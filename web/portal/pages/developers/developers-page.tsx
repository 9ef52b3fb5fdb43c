import { IconBook2, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button, ButtonLink } from '../../../ui/button.js'
import { useNotice } from '../../../ui/notice.js'
import { Page } from '../../../ui/page.js'
import { EmptyState } from '../../../ui/states.js'
import { hasDraft } from '../../../ui/use-draft.js'
import { keyPolicyQuery } from '../../api/queries.js'
import { useMay } from '../../api/session.js'
import { useDeveloperMessages } from '../../i18n/developers.js'
import { otherPaths } from '../../paths.js'
import { CreateKeyDialog, newKeyDraft } from './create-key-dialog.js'
import { ownKeys } from './key-access.js'
import { KeyPolicy } from './key-policy.js'
import { Keys } from './keys.js'
import { QuickStart } from './quick-start.js'
import { RequestLog } from './request-log.js'
import { Webhooks } from './webhooks/webhooks.js'

/** API keys, webhooks, recent requests and a quick start. */
export function DevelopersPage() {
  const m = useDeveloperMessages()
  return useMay('write') ? (
    <KeysAndRequests />
  ) : (
    <Page title={m.title} actions={<ReferenceLink />}>
      <div className="panel">
        <EmptyState title={m.viewerTitle} text={m.viewerText} />
      </div>
      <QuickStart />
    </Page>
  )
}

function KeysAndRequests() {
  const m = useDeveloperMessages()
  const [isCreating, setCreating] = useState(() => hasDraft(newKeyDraft(ownKeys)))
  const maxDays = useQuery(keyPolicyQuery()).data?.max_days
  const [notice, notify] = useNotice()
  const isAdmin = useMay('administer')
  return (
    <Page
      title={m.title}
      lead={m.lead}
      actions={
        <>
          <ReferenceLink />
          <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={() => setCreating(true)}>
            {m.createKey}
          </Button>
        </>
      }
    >
      {notice}
      <Keys access={ownKeys} onCreate={() => setCreating(true)} notify={notify} />
      {isAdmin && <KeyPolicy notify={notify} />}
      {isAdmin && <Webhooks notify={notify} />}
      <QuickStart />
      <RequestLog />
      {isCreating && <CreateKeyDialog access={ownKeys} maxDays={maxDays} onClose={() => setCreating(false)} />}
    </Page>
  )
}

function ReferenceLink() {
  const m = useDeveloperMessages()
  return (
    <ButtonLink
      href={otherPaths.reference}
      target="_blank"
      rel="noreferrer"
      variant="default"
      leftSection={<IconBook2 size={16} aria-hidden="true" />}
    >
      {m.reference}
    </ButtonLink>
  )
}
