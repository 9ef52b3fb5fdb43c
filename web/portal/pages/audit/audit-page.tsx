import { IconDownload } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { portalAddress } from '../../../../src/client/portal-client.js'
import { ButtonLink } from '../../../ui/button.js'
import { Page } from '../../../ui/page.js'
import { EmptyState } from '../../../ui/states.js'
import { auditQuery, peopleQuery } from '../../api/queries.js'
import { useMay } from '../../api/session.js'
import { useAuditMessages } from '../../i18n/audit.js'
import { AuditLog, useAuditSearch } from './audit-log.js'

/** Who did what in the account, when and from where; for admins. */
export function AuditPage() {
  const m = useAuditMessages()
  return useMay('administer') ? (
    <AccountAudit />
  ) : (
    <Page title={m.title}>
      <div className="panel">
        <EmptyState title={m.adminsTitle} text={m.adminsText} />
      </div>
    </Page>
  )
}

function AccountAudit() {
  const m = useAuditMessages()
  const audit = useAuditSearch()
  const { data: people = [] } = useQuery(peopleQuery())
  const found = useInfiniteQuery(auditQuery({ ...audit.filter, take: 50 }))
  return (
    <Page
      title={m.title}
      lead={m.lead}
      actions={
        <ButtonLink
          href={portalAddress('exportAudit', { query: audit.filter })}
          download
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden="true" />}
        >
          {m.export}
        </ButtonLink>
      }
    >
      <AuditLog
        {...audit}
        found={found}
        actors={people.map(({ person_id, name }) => ({ value: `person:${person_id}`, label: name }))}
        nameOf={(id) => people.find(({ person_id }) => person_id === id)?.name}
      />
    </Page>
  )
}
