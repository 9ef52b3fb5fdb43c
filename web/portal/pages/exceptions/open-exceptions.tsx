import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AppLink } from '../../../ui/app-link.js'
import { Button } from '../../../ui/button.js'
import { ErrorNotice, useNotice } from '../../../ui/notice.js'
import { Section } from '../../../ui/section.js'
import { exceptionsQuery } from '../../api/queries.js'
import { useMay } from '../../api/session.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import { useAcknowledge } from './acknowledge.js'
import { acknowledgeText, ExceptionItem } from './exception-item.js'
import styles from './exceptions.module.css'

type Props = { of: { svc_shipment_id: string } | { po_number: string } }

const mostShown = 5

/** What is wrong with a shipment or an order now; nothing if all is well. */
export function OpenExceptions({ of }: Props) {
  const m = useMessages().exceptions
  const f = useFormat()
  const mayWrite = useMay('write')
  const acknowledge = useAcknowledge()
  const [error, setError] = useState<unknown>()
  const [notice, notify] = useNotice()
  const { data } = useInfiniteQuery(exceptionsQuery({ ...of, state: 'open', take: mostShown }))
  const [first] = data?.pages ?? []
  const run = (id: string) => {
    setError(undefined)
    acknowledge([id]).then(({ done }) => notify(done > 0 ? m.done(1) : m.alreadyOver(1)), setError)
  }
  if (!first || first.exceptions.length === 0) return notice
  const { exceptions, count } = first
  return (
    <Section
      title={m.open}
      anchor="exceptions"
      aside={
        <AppLink href={paths.exceptions({ ...of, state: 'open' })}>
          {count.value > exceptions.length ? m.all(f.number(count.value)) : m.history}
        </AppLink>
      }
      isBare
    >
      {error !== undefined && <ErrorNotice error={error} />}
      {notice}
      <ul className={styles.list} aria-label={m.open}>
        {exceptions.map((item) => {
          const { exception_id, kind, state, svc_shipment_id, po_number } = item.exception
          const isOfPage = 'po_number' in of ? po_number === of.po_number : svc_shipment_id === of.svc_shipment_id
          return (
            <ExceptionItem
              key={exception_id}
              item={item}
              isInSection
              isOfPage={isOfPage}
              actions={
                mayWrite &&
                state !== 'acknowledged' && (
                  <Button size="xs" variant="default" onClick={() => run(exception_id)}>
                    {acknowledgeText(kind, m)}
                  </Button>
                )
              }
            />
          )
        })}
      </ul>
    </Section>
  )
}
