import { IconDownload } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { operatorAddress } from '../../../../src/client/operator-client.js'
import { useAuditMessages } from '../../../portal/i18n/audit.js'
import { AuditLog, useAuditSearch } from '../../../portal/pages/audit/audit-log.js'
import { searchText } from '../../../portal/paths.js'
import { ButtonLink } from '../../../ui/button.js'
import { accountPeopleQuery, auditQuery, staffQuery } from '../../api/ops.js'

/** The audit log of an account, or the forwarder's own, which can be exported. */
export function OfficeAudit({ account }: { account?: string }) {
  const m = useAuditMessages()
  const audit = useAuditSearch()
  const { data: staff = [] } = useQuery(staffQuery())
  const { data: users = [] } = useQuery({ ...accountPeopleQuery(account ?? ''), enabled: account !== undefined })
  const found = useInfiniteQuery(auditQuery(account, audit.filter))
  const actors = [
    ...users.map(({ person_id, name }) => ({ value: `person:${person_id}`, label: name })),
    ...staff.flatMap(({ person_id, name }) => [
      { value: `operator:${person_id}`, label: name },
      ...(account === undefined ? [{ value: `person:${person_id}`, label: `${name} (${m.kinds.sign_in})` }] : []),
    ]),
  ]
  return (
    <AuditLog
      {...audit}
      found={found}
      actors={actors}
      nameOf={(id) => [...users, ...staff].find(({ person_id }) => person_id === id)?.name}
      action={
        account === undefined && (
          <ButtonLink
            href={`${operatorAddress('exportForwarderAudit', {} as never)}${searchText(audit.filter)}`}
            download
            size="xs"
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden="true" />}
          >
            {m.export}
          </ButtonLink>
        )
      }
    />
  )
}
