import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { WaybillError } from '../../client/client.js'
import { ConnectionLost } from '../api/client.js'
import { type Messages, useMessages } from '../i18n/messages.js'
import { Button } from './button.js'
import { Copyable } from './copyable.js'
import { Skeleton } from './skeleton.js'
import styles from './states.module.css'

/** What will appear here, and how. */
export function EmptyState({ title, text, action }: { title: string; text: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles.state}>
      <h2>{title}</h2>
      <p className={styles.text}>{text}</p>
      {action && <div className={styles.action}>{action}</div>}
    </div>
  )
}

/** What happened, what to do, and the request to ask us about. */
export function ErrorState({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  const m = useMessages()
  const { what, remedy } = explain(error, m)
  return (
    <div className={styles.state} role="alert">
      <h2 className={styles.problem}>
        <IconAlertTriangle size={18} aria-hidden="true" />
        {what}
      </h2>
      <p className={styles.text}>{remedy}</p>
      {error instanceof WaybillError && (
        <p className={styles.request}>
          {m.common.requestId} <Copyable text={error.problem.request_id} />
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

/** An error in words: ours where people meet it often, or else as the service says it. */
export function explain(error: unknown, { common, problems }: Messages): { what: string; remedy: string } {
  if (error instanceof ConnectionLost) return { what: common.offlineTitle, remedy: common.offlineText }
  if (isOutdated(error)) return { what: common.newerTitle, remedy: common.newerText }
  if (!(error instanceof WaybillError)) return { what: common.errorTitle, remedy: common.unexpected }
  const { code, title, detail } = error.problem
  return (problems as Partial<typeof problems>)[code as keyof typeof problems] ?? { what: title, remedy: detail }
}

/** A file of this page is gone: there is a newer version of all of them. Each browser says it in its own words. */
export function isOutdated(error: unknown): boolean {
  return error instanceof TypeError && /dynamically imported module|module script failed/i.test(error.message)
}

/** The place of some lines of text. */
export function Lines({ count }: { count: number }) {
  return (
    <Waiting>
      {numbers(count).map((line) => (
        <Skeleton key={line} height={13} mt={line === 0 ? 0 : 11} width={`${[92, 78, 86, 60][line % 4]}%`} />
      ))}
    </Waiting>
  )
}

/** The place of a table. */
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
