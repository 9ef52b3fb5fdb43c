import { type UseQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { UsedKey } from '../../../../src/contract/portal/keys.js'
import { type Mark, StatusBadge, type Tone } from '../../../ui/badges.js'
import { Button } from '../../../ui/button.js'
import { systemTime } from '../../../ui/clock.js'
import { ConfirmDialog } from '../../../ui/dialog.js'
import { MomentText, useMoments } from '../../../ui/moment-text.js'
import { type PlainColumn, PlainTable } from '../../../ui/plain-table.js'
import { Section } from '../../../ui/section.js'
import { EmptyState, ErrorState, TableSkeleton } from '../../../ui/states.js'
import { useDeveloperMessages } from '../../i18n/developers.js'
import styles from './developers.module.css'
import type { KeyAccess } from './key-access.js'
import { inOrder, type KeyState, stateOf } from './key-state.js'
import { RotateKeyDialog } from './rotate-key-dialog.js'

type Props = {
  access: KeyAccess
  onCreate(): void
  notify(text: string): void
  /** Beside the title. */
  aside?: ReactNode
  /** Shows the keys, and no actions. */
  isReadOnly?: boolean
}

export function Keys({ access, onCreate, notify, aside, isReadOnly = false }: Props) {
  const m = useDeveloperMessages()
  const { data: keys, error, refetch } = useQuery<UsedKey[]>(access.query as UseQueryOptions<UsedKey[]>)
  const client = useQueryClient()
  const [revoking, setRevoking] = useState<UsedKey>()
  const nameOf = ({ name }: UsedKey) => name ?? m.unnamed
  const now = systemTime()
  const [rotating, setRotating] = useState<UsedKey>()
  const all = useColumns(now, { onRevoke: setRevoking, onRotate: setRotating })
  const columns = isReadOnly ? all.filter(({ id }) => id !== 'actions') : all
  const revoke = async (key: UsedKey) => {
    await access.revoke(key.key_id)
    await client.invalidateQueries({ queryKey: access.query.queryKey })
    notify(m.revoked(nameOf(key)))
  }

  return (
    <Section title={m.keys} aside={aside} isBare>
      {!keys &&
        (error ? (
          <div className="panel">
            <ErrorState error={error} retry={() => void refetch()} />
          </div>
        ) : (
          <TableSkeleton rows={3} columns={6} />
        ))}
      {keys?.length === 0 && (
        <div className="panel">
          <EmptyState
            title={m.noKeysTitle}
            text={m.noKeysText}
            action={!isReadOnly && <Button onClick={onCreate}>{m.createKey}</Button>}
          />
        </div>
      )}
      {keys && keys.length > 0 && (
        <PlainTable
          label={m.keys}
          rows={inOrder(keys, now)}
          columns={columns}
          rowKey={({ key_id }) => key_id}
          isFaint={(key) => ['expired', 'revoked'].includes(stateOf(key, now))}
        />
      )}
      {rotating && <RotateKeyDialog access={access} of={rotating} onClose={() => setRotating(undefined)} />}
      {revoking && (
        <ConfirmDialog
          title={m.revokeTitle(nameOf(revoking))}
          text={<RevokeText of={revoking} />}
          confirm={m.revoke}
          act={() => revoke(revoking)}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </Section>
  )
}

function RevokeText({ of: { last_used_at } }: { of: UsedKey }) {
  const m = useDeveloperMessages()
  const { ago } = useMoments()
  return (
    <>
      <p>{m.revokeText}</p>
      <p>{last_used_at === undefined ? m.revokeUnused : m.revokeUsed(ago(last_used_at))}</p>
    </>
  )
}

const looks: Record<KeyState, [Tone, Mark]> = {
  active: ['done', 'full'],
  expiring: ['late', 'half'],
  expired: ['planned', 'hollow'],
  revoked: ['planned', 'crossed'],
}

type Actions = Record<'onRevoke' | 'onRotate', (key: UsedKey) => void>

function useColumns(now: number, { onRevoke, onRotate }: Actions): PlainColumn<UsedKey>[] {
  const m = useDeveloperMessages()
  return [
    {
      id: 'name',
      header: m.name,
      isName: true,
      cell: ({ name, ends_in }) => (
        <span className={styles.keyName}>
          <span className={name === undefined ? 'soft' : 'strong'}>{name ?? m.unnamed}</span>
          <span className="mono small soft" title={m.endsIn(ends_in)}>
            <span aria-hidden="true">…{ends_in}</span>
            <span className="visually-hidden">{m.endsIn(ends_in)}</span>
          </span>
        </span>
      ),
    },
    { id: 'state', header: m.state, cell: (key) => <State state={stateOf(key, now)} /> },
    {
      id: 'scopes',
      header: m.scopes,
      cell: ({ scopes, networks }) => (
        <span className={styles.lines}>
          {scopes.map((scope) => m.scopeNames[scope]).join(', ')}
          {networks && <span className={`small soft ${styles.networks}`}>{m.onlyFrom(networks.join(', '))}</span>}
        </span>
      ),
    },
    {
      id: 'created',
      header: m.created,
      cell: ({ created_at, created_by_name }) => (
        <span className={styles.lines}>
          <MomentText at={created_at} look="day" />
          {created_by_name !== undefined && (
            <span className={`small soft ${styles.networks}`}>{m.by(created_by_name)}</span>
          )}
        </span>
      ),
    },
    {
      id: 'expires',
      header: m.expires,
      cell: ({ expires_at }) => <MomentText at={expires_at} look="day" none={m.never} />,
    },
    {
      id: 'used',
      header: m.lastUsed,
      cell: ({ last_used_at }) => <MomentText at={last_used_at} look="ago" none={m.notUsed} />,
    },
    {
      id: 'actions',
      header: m.actions,
      align: 'right',
      isPlain: true,
      cell: (key) =>
        key.revoked_at === undefined && (
          <span className={styles.actions}>
            {stateOf(key, now) !== 'expired' && (
              <Button
                size="xs"
                variant="subtle"
                aria-label={m.rotateKey(key.name ?? m.endsIn(key.ends_in))}
                onClick={() => onRotate(key)}
              >
                {m.rotate}
              </Button>
            )}
            <Button
              size="xs"
              variant="subtle"
              color="red"
              aria-label={m.revokeKey(key.name ?? m.endsIn(key.ends_in))}
              onClick={() => onRevoke(key)}
            >
              {m.revoke}
            </Button>
          </span>
        ),
    },
  ]
}

function State({ state }: { state: KeyState }) {
  const m = useDeveloperMessages()
  const [tone, mark] = looks[state]
  return (
    <StatusBadge tone={tone} mark={mark}>
      {m.states[state]}
    </StatusBadge>
  )
}
