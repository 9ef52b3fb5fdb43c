import { useQuery } from '@tanstack/react-query'
import type { Feed } from '../../../../src/contract/operator/feeds.js'
import lists from '../../../portal/pages/lists.module.css'
import { useAddressQuery } from '../../../ui/address-query.js'
import { StatusBadge, type Tone } from '../../../ui/badges.js'
import { Button } from '../../../ui/button.js'
import { MomentText } from '../../../ui/moment-text.js'
import { Page } from '../../../ui/page.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { SegmentedControl } from '../../../ui/segmented-control.js'
import { EmptyState, ErrorState, TableSkeleton } from '../../../ui/states.js'
import { ActionsContext, useActionState, useActions } from '../../actions/use-actions.js'
import { feedsQuery, ops, sendersQuery, useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { useKeys } from '../../layout/keys.js'
import { CodeList } from './code-list.js'
import { readFeedsSearch, shows } from './feeds-search.js'
import { MessageList } from './message-list.js'

/** How messages come in, and what became of them. */
export function FeedsPage() {
  const { feeds: m } = useOfficeMessages()
  const [search, change] = useAddressQuery(readFeedsSearch)
  const { actions, outcome } = useActionState()
  const { show = 'feeds' } = search
  const clear = { outcome: undefined, sender: undefined, reference: undefined, state: undefined, item: undefined }
  const go = (value: (typeof shows)[number]) => change({ ...clear, show: value }, { replace: false })
  useKeys({
    z: actions.undo,
    ...Object.fromEntries(shows.map((each, index) => [String(index + 1), () => go(each)])),
  })
  return (
    <ActionsContext value={actions}>
      <Page title={m.title} lead={m.lead}>
        <div className={lists.tools}>
          <SegmentedControl
            label={m.show}
            isLabelHidden
            isTabs
            value={show}
            options={shows.map((value) => ({ value, label: m.shows[value] }))}
            onChange={go}
          />
        </div>
        {outcome}
        {show === 'feeds' && <Connections />}
        {show === 'messages' && <MessageList search={search} change={change} />}
        {show === 'codes' && <CodeList search={search} change={change} />}
        {show === 'senders' && <Senders />}
      </Page>
    </ActionsContext>
  )
}

const tones: Record<Health, Tone> = {
  paused: 'planned',
  failing: 'problem',
  behind: 'late',
  well: 'accent',
  silent: 'planned',
}
type Health = 'paused' | 'failing' | 'behind' | 'well' | 'silent'

/** A feed that fetches is behind once it has missed three rounds. */
function healthOf({ paused, pull, pending_messages, last_message }: Feed): Health {
  if (paused) return 'paused'
  if ((pull?.failures ?? 0) > 0) return 'failing'
  if (pending_messages > 100 || (pull && pull.lag_seconds > 3 * pull.interval_seconds)) return 'behind'
  return last_message ? 'well' : 'silent'
}

function Connections() {
  const { feeds: m } = useOfficeMessages()
  const { data, error, refetch } = useQuery(feedsQuery())
  const { run, isBusy } = useActions()
  const isAdmin = useMayDo('administer')
  if (!data) {
    return error ? <ErrorState error={error} retry={() => void refetch()} /> : <TableSkeleton rows={4} columns={5} />
  }
  if (data.length === 0) {
    return (
      <div className="panel">
        <EmptyState title={m.noFeeds} text={m.noFeedsText} />
      </div>
    )
  }
  const pause = ({ feed_id, sender }: Feed, paused: boolean) =>
    run(async () => {
      const params = { feed_id }
      await ops.updateFeed({ params, body: { paused } })
      const undo = () => ops.updateFeed({ params, body: { paused: !paused } })
      return { text: paused ? m.done.paused(sender) : m.done.resumed(sender), undo }
    })
  return (
    <PlainTable
      label={m.shows.feeds}
      rows={data}
      rowKey={({ feed_id }) => feed_id}
      versionOf={(feed) => `${healthOf(feed)} ${feed.pending_messages}`}
      columns={[
        { id: 'sender', header: m.sender, isName: true, cell: ({ sender }) => sender },
        {
          id: 'health',
          header: m.health,
          cell: (feed) => (
            <span title={feed.pull?.error}>
              <StatusBadge tone={tones[healthOf(feed)]}>{m.healths[healthOf(feed)]}</StatusBadge>
            </span>
          ),
        },
        { id: 'channel', header: m.channel, cell: ({ channel, format }) => `${m.channels[channel]}, ${format}` },
        {
          id: 'last',
          header: m.lastMessage,
          cell: ({ last_message }) => <MomentText at={last_message?.received_at} look="ago" />,
        },
        { id: 'lag', header: m.lag, cell: ({ pull }) => pull && m.seconds(pull.lag_seconds) },
        { id: 'pending', header: m.pending, align: 'right', cell: ({ pending_messages }) => pending_messages },
        {
          id: 'failures',
          header: m.failures,
          align: 'right',
          cell: ({ pull, push }) => pull?.failures ?? push?.refused,
        },
        ...(isAdmin
          ? [
              {
                id: 'pause',
                header: m.pause,
                isPlain: true,
                align: 'right' as const,
                cell: (feed: Feed) => (
                  <Button size="xs" variant="default" disabled={isBusy} onClick={() => void pause(feed, !feed.paused)}>
                    {feed.paused ? m.resume : m.pause}
                  </Button>
                ),
              },
            ]
          : []),
      ]}
    />
  )
}

function Senders() {
  const { feeds: m } = useOfficeMessages()
  const { data, error, refetch } = useQuery(sendersQuery())
  if (!data) {
    return error ? <ErrorState error={error} retry={() => void refetch()} /> : <TableSkeleton rows={4} columns={3} />
  }
  if (data.length === 0) {
    return (
      <div className="panel">
        <EmptyState title={m.noSenders} text={m.noSendersText} />
      </div>
    )
  }
  return (
    <PlainTable
      label={m.shows.senders}
      rows={data}
      rowKey={({ sender }) => sender}
      versionOf={(row) => JSON.stringify(row)}
      columns={[
        { id: 'sender', header: m.sender, isName: true, cell: ({ sender }) => sender },
        { id: 'name', header: m.name, cell: ({ name }) => name },
        { id: 'party', header: m.party, cell: ({ party }) => m.parties[party] },
      ]}
    />
  )
}
