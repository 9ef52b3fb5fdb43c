import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FreeTimeFact } from '../../../../src/contract/public/free-time.js'
import { useFormat } from '../../../portal/i18n/format.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import { Clocks, shownClocks } from '../../../portal/pages/shipment/free-time-section.js'
import { Button } from '../../../ui/button.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { Section } from '../../../ui/section.js'
import { hasDraft } from '../../../ui/use-draft.js'
import { ReasonDialog } from '../../actions/reason-dialog.js'
import { ops, useMayDo } from '../../api/ops.js'
import { freeTimeQuery, type ShipmentParams } from '../../api/shipment.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { FreeTimeDialog, freeTimeDraft } from './free-time-dialog.js'

type Props = { params: ShipmentParams; containers: string[] }

/** Until when containers are free of charge, and what carrier, terminal or a person gave beyond the rules. */
export function FreeTimeSection({ params, containers }: Props) {
  const { freeTime: texts } = useMessages().shipment
  const { file: m } = useOfficeMessages()
  const mayOperate = useMayDo('operate')
  const { data } = useQuery(freeTimeQuery(params))
  const [isGiving, setGiving] = useState(() => mayOperate && hasDraft(freeTimeDraft(params)))
  const [retracted, setRetracted] = useState<FreeTimeFact>()
  const clocks = shownClocks(data?.clocks ?? [])
  const facts = data?.given ?? []
  const retract = async (reason: string) => {
    if (!retracted) return { text: '' }
    const { id: fact_id, recorded_at: _at, ...body } = retracted
    await ops.retractFreeTime({ params: { ...params, fact_id }, query: { reason } })
    return { text: m.free.retracted, undo: () => ops.giveFreeTime({ params: { ...params, fact_id }, body }) }
  }
  return (
    <Section
      title={texts.title}
      anchor="free-time"
      isBare={clocks.length + facts.length > 0}
      aside={
        mayOperate && (
          <Button size="xs" variant="default" onClick={() => setGiving(true)}>
            {m.free.give}
          </Button>
        )
      }
    >
      {clocks.length > 0 ? <Clocks clocks={clocks} /> : facts.length === 0 && <p className="soft">{m.free.none}</p>}
      {facts.length > 0 && <Facts facts={facts} retract={mayOperate ? setRetracted : undefined} />}
      {isGiving && <FreeTimeDialog params={params} containers={containers} onClose={() => setGiving(false)} />}
      {retracted && (
        <ReasonDialog
          draft={`free-time-retract ${params.account} ${params.svc_shipment_id} ${retracted.id}`}
          title={m.free.retract}
          confirm={m.free.retract}
          onClose={() => setRetracted(undefined)}
          act={retract}
        />
      )}
    </Section>
  )
}

function Facts({ facts, retract }: { facts: FreeTimeFact[]; retract: ((fact: FreeTimeFact) => void) | undefined }) {
  const { freeTime: texts } = useMessages().shipment
  const { file: m } = useOfficeMessages()
  const f = useFormat()
  const given = ({ last_free_day, extra_days = 0 }: FreeTimeFact) =>
    last_free_day === undefined ? m.free.extra(extra_days) : f.day(last_free_day)
  return (
    <PlainTable
      label={m.free.given}
      rows={facts}
      rowKey={({ id }) => id}
      columns={[
        {
          id: 'container',
          header: m.container,
          isName: true,
          cell: ({ container_number }) => container_number ?? m.wholeShipment,
        },
        {
          id: 'clock',
          header: m.free.clock,
          cell: ({ clock, direction }) =>
            direction === 'export' ? texts.export(texts.clocks[clock]) : texts.clocks[clock],
        },
        { id: 'given', header: m.free.given, cell: given },
        { id: 'source', header: m.source, cell: ({ source }) => m.free.sources[source] },
        { id: 'reason', header: m.reason, cell: ({ reason }) => reason },
        {
          id: 'retract',
          header: m.free.retract,
          isPlain: true,
          align: 'right',
          cell: (fact) =>
            retract && (
              <Button
                size="xs"
                variant="default"
                aria-label={`${m.free.retract}: ${given(fact)}`}
                onClick={() => retract(fact)}
              >
                {m.retract}
              </Button>
            ),
        },
      ]}
    />
  )
}
