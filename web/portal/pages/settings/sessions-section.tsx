import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ListedSession } from '../../../../src/contract/portal/sessions.js'
import { StatusBadge } from '../../../ui/badges.js'
import { Button } from '../../../ui/button.js'
import { ConfirmDialog } from '../../../ui/dialog.js'
import { MomentText } from '../../../ui/moment-text.js'
import { ErrorNotice, useNotice } from '../../../ui/notice.js'
import { type PlainColumn, PlainTable } from '../../../ui/plain-table.js'
import { Section } from '../../../ui/section.js'
import { ErrorState, TableSkeleton } from '../../../ui/states.js'
import { api } from '../../api/client.js'
import { sessionsQuery } from '../../api/queries.js'
import { useMessages } from '../../i18n/messages.js'
import styles from './settings.module.css'

/** Where the person is signed in: ends one session, or all others. */
export function SessionsSection() {
  const { sessions: m } = useMessages()
  const { data: sessions, error, refetch } = useQuery(sessionsQuery())
  const client = useQueryClient()
  const [isEndingOthers, setEndingOthers] = useState(false)
  const [notice, notify] = useNotice()
  const refresh = () => client.invalidateQueries({ queryKey: sessionsQuery().queryKey })
  const end = useMutation({
    mutationFn: ({ session_id }: ListedSession) => api.portal.endSession({ params: { session_id } }),
    async onSuccess() {
      await refresh()
      notify(m.ended)
    },
  })
  const columns = useColumns((session) => end.mutate(session))
  const hasOthers = sessions?.some(({ is_current }) => !is_current)

  return (
    <Section
      title={m.title}
      aside={
        hasOthers && (
          <Button size="xs" variant="default" onClick={() => setEndingOthers(true)}>
            {m.endOthers}
          </Button>
        )
      }
    >
      <div className={styles.stack}>
        <p className="soft">{m.text}</p>
        {notice}
        {end.error && <ErrorNotice error={end.error} />}
        {!sessions &&
          (error ? (
            <div className="panel">
              <ErrorState error={error} retry={() => void refetch()} />
            </div>
          ) : (
            <TableSkeleton rows={2} columns={4} />
          ))}
        {sessions && (
          <PlainTable label={m.title} rows={sessions} columns={columns} rowKey={({ session_id }) => session_id} />
        )}
      </div>
      {isEndingOthers && (
        <ConfirmDialog
          title={m.endOthersTitle}
          text={<p>{m.endOthersText}</p>}
          confirm={m.endOthersConfirm}
          act={async () => {
            await api.portal.endOtherSessions()
            await refresh()
            notify(m.endedOthers)
          }}
          onClose={() => setEndingOthers(false)}
        />
      )}
    </Section>
  )
}

function useColumns(onEnd: (session: ListedSession) => void): PlainColumn<ListedSession>[] {
  const { sessions: m } = useMessages()
  return [
    {
      id: 'device',
      header: m.device,
      isName: true,
      cell: (session) => (
        <span className={styles.device}>
          <span className="strong">{m.deviceName(session.browser, session.system)}</span>
          {session.is_current && (
            <StatusBadge tone="done" mark="full">
              {m.current}
            </StatusBadge>
          )}
        </span>
      ),
    },
    { id: 'address', header: m.address, cell: ({ address }) => <span className="mono small">{address || '–'}</span> },
    { id: 'started', header: m.signedIn, cell: ({ signed_in_at }) => <MomentText at={signed_in_at} look="ago" /> },
    { id: 'seen', header: m.lastSeen, cell: ({ last_seen_at }) => <MomentText at={last_seen_at} look="ago" /> },
    {
      id: 'actions',
      header: m.actions,
      align: 'right',
      isPlain: true,
      cell: (session) =>
        !session.is_current && (
          <Button
            size="xs"
            variant="subtle"
            color="red"
            aria-label={m.endNamed(m.deviceName(session.browser, session.system))}
            onClick={() => onEnd(session)}
          >
            {m.end}
          </Button>
        ),
    },
  ]
}
