import { IconAlertTriangle, IconCircleCheck, IconClock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useMessages } from '../../i18n/messages.js'
import { explain } from '../../parts/states.js'
import styles from './sign-in.module.css'

const icons = { late: IconClock, done: IconCircleCheck, problem: IconAlertTriangle }

/** Something to know before one signs in. */
export function Notice({ tone, children }: { tone: keyof typeof icons; children: ReactNode }) {
  const Icon = icons[tone]
  return (
    <div className={styles.notice} data-tone={tone} role={tone === 'problem' ? 'alert' : 'status'}>
      <Icon size={18} stroke={1.8} aria-hidden="true" />
      <div>{children}</div>
    </div>
  )
}

/** Why it did not work; in other words, where there are better ones. */
export function ProblemNotice({ error, text }: { error: unknown; text?: string }) {
  const { what, remedy } = explain(error, useMessages())
  return (
    <Notice tone="problem">
      {text ?? (
        <>
          <span className="strong">{what}.</span> {remedy}
        </>
      )}
    </Notice>
  )
}
