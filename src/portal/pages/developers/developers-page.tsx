import { IconBook2, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useMay } from '../../api/session.js'
import { useMessages } from '../../i18n/messages.js'
import { Button } from '../../parts/button.js'
import { ButtonLink } from '../../parts/button-link.js'
import { useNotice } from '../../parts/notice.js'
import { Page } from '../../parts/page.js'
import { EmptyState } from '../../parts/states.js'
import { otherPaths } from '../../paths.js'
import { CreateKeyDialog } from './create-key-dialog.js'
import { Keys } from './keys.js'
import { QuickStart } from './quick-start.js'
import { RequestLog } from './request-log.js'

/** Keys for an account's own systems, what they asked lately, and where to begin. */
export function DevelopersPage() {
  const m = useMessages().developers
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
  const m = useMessages().developers
  const [isCreating, setCreating] = useState(false)
  const [notice, tell] = useNotice()
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
      <Keys onCreate={() => setCreating(true)} tell={tell} />
      <QuickStart />
      <RequestLog />
      {isCreating && <CreateKeyDialog onClose={() => setCreating(false)} />}
    </Page>
  )
}

function ReferenceLink() {
  const m = useMessages().developers
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
