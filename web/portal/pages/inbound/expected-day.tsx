import type { InboundLine } from '../../../../src/contract/public/inbound.js'
import { DayText } from '../../../ui/day-text.js'
import { useMessages } from '../../i18n/messages.js'

type Props = Pick<InboundLine, 'expected_date' | 'date_status'>

/** The expected day with its status, or that none is known. */
export function ExpectedDay({ expected_date, date_status }: Props) {
  const m = useMessages().inbound
  if (expected_date === undefined || date_status === 'unknown') return <span className="soft">{m.noDate}</span>
  return <DayText date={expected_date} status={date_status} isShort />
}
