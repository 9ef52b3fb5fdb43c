import { IconAlertTriangle } from '@tabler/icons-react'
import { type ReactNode, useEffect } from 'react'
import { WaybillError } from '../../src/client/response.js'
import { isConnectionLost } from '../portal/api/client.js'
import { showOfflineState } from '../portal/api/connection.js'
import { type Messages, useMessages } from '../portal/i18n/messages.js'
import { Button } from './button.js'
import { Copyable } from './copyable.js'
import { Skeleton } from './skeleton.js'
import styles from './states.module.css'

/** An empty state: what will appear here, and how to get it. */
export function EmptyState({ title, text, action }: { title: string; text: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles.state}>
      <h2>{title}</h2>
      <p className={styles.text}>{text}</p>
      {action && <div className={styles.action}>{action}</div>}
    </div>
  )
}

/** What happened, what to do, and the request ID. */
export function ErrorState({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  const m = useMessages()
  const { what, remedy } = explain(error, m)
  const isOffline = isConnectionLost(error)
  useEffect(() => (isOffline ? showOfflineState() : undefined), [isOffline])
  return (
    <div className={styles.state} role="alert">
      <h2 className={styles.problem}>
        <IconAlertTriangle size={18} aria-hidden="true" />
        {what}
      </h2>
      <p className={styles.text}>{remedy}</p>
      {error instanceof WaybillError && error.requestId && (
        <p className={styles.request}>
          {m.common.requestId} <Copyable text={error.requestId} />
        </p>
      )}
      {retry && (
        <div className={styles.action}>
          <Button variant="default" onClick={retry}>
            {m.common.retry}
          </Button>
        </div>
      )}
    </div>
  )
}

/** The portal's own text for common errors, or else the server's. */
export function explain(error: unknown, { common, problems }: Messages): { what: string; remedy: string } {
  if (isConnectionLost(error)) return { what: common.offlineTitle, remedy: common.offlineText }
  if (isOutdated(error)) return { what: common.newerTitle, remedy: common.newerText }
  if (!(error instanceof WaybillError)) return { what: common.errorTitle, remedy: common.unexpected }
  const { code, title = '', detail = '' } = error
  return (problems as Partial<typeof problems>)[code as keyof typeof problems] ?? { what: title, remedy: detail }
}

/** A chunk is missing because a newer version was deployed. Every browser words this error differently. */
export function isOutdated(error: unknown): boolean {
  return error instanceof TypeError && /dynamically imported module|module script failed/i.test(error.message)
}

/** Placeholder of some lines of text. */
export function Lines({ count }: { count: number }) {
  return (
    <Waiting>
      {numbers(count).map((line) => (
        <Skeleton key={line} height={13} mt={line === 0 ? 0 : 11} width={`${[92, 78, 86, 60][line % 4]}%`} />
      ))}
    </Waiting>
  )
}

/** Placeholder of a table. */
export function TableSkeleton({ rows, columns }: { rows: number; columns: number }) {
  return (
    <Waiting>
      <div className="panel">
        {numbers(rows + 1).map((row) => (
          <div key={row} className={styles.row}>
            {numbers(columns).map((column) => (
              <Skeleton
                key={column}
                height={row === 0 ? 9 : 12}
                width={`${[64, 82, 48, 70, 56][(row + column) % 5]}%`}
              />
            ))}
          </div>
        ))}
      </div>
    </Waiting>
  )
}

function Waiting({ children }: { children: ReactNode }) {
  const { common } = useMessages()
  return (
    <div>
      <span className="visually-hidden">{common.loading}</span>
      <div aria-hidden="true">{children}</div>
    </div>
  )
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)
