import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { SavedViews } from '../../../portal/pages/saved-views.js'
import { useAddressQuery } from '../../../ui/address-query.js'
import { Button } from '../../../ui/button.js'
import { LoadMore } from '../../../ui/load-more.js'
import { Page } from '../../../ui/page.js'
import { EmptyState, ErrorState, TableSkeleton } from '../../../ui/states.js'
import { useChanges } from '../../../ui/use-changes.js'
import actionStyles from '../../actions/actions.module.css'
import { ActionsContext, morning, useActionState } from '../../actions/use-actions.js'
import { useMayDo, useOperator } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { useKeys } from '../../layout/keys.js'
import { paths } from '../../paths.js'
import { CodePanel } from './code-panel.js'
import { ConversationPanel } from './conversation-panel.js'
import { acceptProposal, DocumentPanel } from './document-panel.js'
import { ExceptionPanel } from './exception-panel.js'
import { Filters } from './filters.js'
import { type Handling, handleItems } from './handling.js'
import { HandlingButtons, OwnerField } from './handling-buttons.js'
import { ItemBadge, useItemTexts } from './item-texts.js'
import { MessagePanel } from './message-panel.js'
import { Queue } from './queue.js'
import { subjectPath } from './subject-link.js'
import { DisputePanel, NeededPanel, OrderPanel, RequestPanel } from './waiting-panels.js'
import styles from './work.module.css'
import type { WorkItem } from './work-item.js'
import { useWork } from './work-items.js'
import { filtersOf, isFiltered, readWorkSearch, unfiltered } from './work-search.js'

const rowsAtOnce = 40
// Those after the open item, to which `j` moves.
const rowsAhead = 10

/** One queue over all customers, and what can be done with each item. */
export function WorkPage() {
  const { work: m } = useOfficeMessages()
  const [search, change] = useAddressQuery(readWorkSearch)
  const { items, count, isCountExact, isLoading, error, hasMore, loadMore, retry } = useWork(search)
  const { actions, outcome } = useActionState()
  const mayOperate = useMayDo('operate')
  const mayHandle = useMayDo('handle')
  const isSelectable = ({ type }: WorkItem) => mayHandle && (type !== 'exception' || mayOperate)
  const active = useActiveItem(items, search.item)
  const [room, setRoom] = useState(rowsAtOnce)
  // The rest is rendered when it is scrolled to: hundreds of rows take several times as long as what the screen shows.
  const shown = items.slice(0, Math.max(room, active ? items.indexOf(active) + rowsAhead : 0))
  const showMore = () => (shown.length < items.length ? setRoom(shown.length + rowsAtOnce) : loadMore())
  const textsOf = useItemTexts()
  const { marks, forget } = useChanges(
    isLoading
      ? undefined
      : {
          list: JSON.stringify(filtersOf(search)),
          versions: items.map((item) => [item.key, textsOf(item).title]),
          isComplete: !hasMore,
        },
  )
  const [chosen, setChosen] = useState<Set<string>>(new Set())
  // What has left the queue is not selected any more.
  const selected = new Set(items.filter(({ key }) => chosen.has(key)).map(({ key }) => key))
  const select = (item: WorkItem) => {
    if (!isSelectable(item)) return
    const { key } = item
    setChosen(selected.has(key) ? new Set([...selected].filter((other) => other !== key)) : new Set([...selected, key]))
  }
  const open = (item: WorkItem | undefined) => {
    if (!item) return
    forget(item.key)
    change({ item: item.key })
  }
  useQueueKeys({ items, active, selected, open, select, isSelectable, actions, mayOperate })

  return (
    <ActionsContext value={actions}>
      <Page
        title={m.title}
        documentTitle={isLoading ? m.title : m.count(`${count}${isCountExact ? '' : '+'}`, m.title)}
        lead={isLoading ? undefined : m.lead(count, !isCountExact)}
        isLoading={isLoading}
      >
        <SavedViews
          page="work"
          search={filtersOf(search)}
          builtIn={[
            { name: m.views.all, search: {} },
            { name: m.views.mine, search: { owner: 'me' } },
            { name: m.views.unowned, search: { owner: 'nobody' } },
            { name: m.views.snoozed, search: { state: 'snoozed' } },
          ]}
          isWithin={({ owner, state }) => search.owner === owner && (state ?? 'open') === search.state}
          read={(raw) => filtersOf(readWorkSearch(raw))}
          pathOf={paths.work}
          onChoose={(view) => change({ ...unfiltered, item: undefined, ...view }, { replace: false })}
        />
        <Filters search={search} change={(changed) => change({ ...changed, item: undefined } as never)} />
        {selected.size > 0 && (
          <SelectionBar items={items.filter(({ key }) => selected.has(key))} clear={() => setChosen(new Set())} />
        )}
        {outcome}
        {error && items.length === 0 ? (
          <div className="panel">
            <ErrorState error={error} retry={retry} />
          </div>
        ) : isLoading ? (
          <TableSkeleton rows={10} columns={5} />
        ) : items.length === 0 && !hasMore ? (
          <div className="panel">
            <EmptyState
              title={m.empty}
              text={isFiltered(search) ? m.emptyFiltered : m.emptyText}
              action={
                isFiltered(search) && (
                  <Button variant="default" onClick={() => change(unfiltered)}>
                    {m.clearFilters}
                  </Button>
                )
              }
            />
          </div>
        ) : (
          <div className={styles.columns}>
            <div className={styles.list}>
              <Queue
                {...{ active, selected, isSelectable, marks }}
                items={shown}
                count={hasMore ? undefined : items.length}
                onOpen={open}
                onSelect={select}
              />
              {(hasMore || shown.length < items.length) && <LoadMore count={shown.length} loadMore={showMore} />}
            </div>
            {active && <ItemPanel item={active} isChosen={search.item !== undefined} />}
          </div>
        )}
      </Page>
    </ActionsContext>
  )
}

/** The item of the address, or the one that took its place. */
function useActiveItem(items: WorkItem[], key: string | undefined): WorkItem | undefined {
  const place = useRef(0)
  const index = items.findIndex((item) => item.key === key)
  const active = items[index] ?? items[Math.min(place.current, items.length - 1)]
  useEffect(() => {
    if (active) place.current = items.indexOf(active)
  })
  return active
}

type QueueKeys = {
  items: WorkItem[]
  active: WorkItem | undefined
  selected: Set<string>
  open: (item: WorkItem | undefined) => void
  select: (item: WorkItem) => void
  actions: ReturnType<typeof useActionState>['actions']
  isSelectable: (item: WorkItem) => boolean
  mayOperate: boolean
}

function useQueueKeys(keys: QueueKeys): void {
  const { items, active, selected, open, select, isSelectable, actions, mayOperate } = keys
  const { work: m } = useOfficeMessages()
  const { name } = useOperator()
  const router = useRouter()
  const move = (by: number) => active && open(items[items.indexOf(active) + by])
  // Of the selected ones, or of the open one.
  const chosen = items.filter(({ key }) => (selected.size > 0 ? selected.has(key) : key === active?.key))
  const exceptions = chosen.flatMap((item) => (item.type === 'exception' ? [item.exception] : []))
  const decide = () => {
    if (exceptions.length > 0) void actions.act(exceptions, { action: 'acknowledge' })
    else if (active?.type === 'document') void acceptProposal(actions, m, active.document)
    // Messages and codes need a choice.
    else document.querySelector<HTMLElement>(`.${styles.panel} :is(button, select)`)?.focus()
  }
  const handle = (handling: Handling) => {
    const handled = chosen.filter(isSelectable)
    if (handled.length > 0) void handleItems(actions, m, handled, handling)
  }
  const path = active && subjectPath(active)
  const follow = path === undefined ? undefined : () => router.history.push(path)
  const writes = {
    x: () => active && select(active),
    m: () => handle({ action: 'assign', owner: name }),
    s: () => handle({ action: 'snooze', until: morning(1) }),
    z: actions.undo,
  }
  useKeys({
    j: () => move(1),
    ArrowDown: () => move(1),
    k: () => move(-1),
    ArrowUp: () => move(-1),
    o: follow,
    ...(mayOperate && { e: decide }),
    ...(chosen.some(isSelectable) || actions.undo ? writes : {}),
  })
}

function SelectionBar({ items, clear }: { items: WorkItem[]; clear: () => void }) {
  const { work: m } = useOfficeMessages()
  const { name } = useOperator()
  return (
    <ActionsContext.Consumer>
      {(actions) => {
        const exceptions = items.flatMap((item) => (item.type === 'exception' ? [item.exception] : []))
        if (!actions) return null
        const handle = (handling: Handling) => handleItems(actions, m, items, handling)
        const buttons = [
          ...(exceptions.length > 0
            ? ([[m.acknowledge, () => actions.act(exceptions, { action: 'acknowledge' })]] as const)
            : []),
          [m.assignToMe, () => handle({ action: 'assign', owner: name })],
          [m.snooze, () => handle({ action: 'snooze', until: morning(1) })],
        ] as const
        return (
          <div className={styles.selection}>
            <span className="strong">{m.selected(items.length)}</span>
            {buttons.map(([text, act]) => (
              <Button
                key={text}
                size="xs"
                variant="default"
                disabled={actions.isBusy}
                onClick={() => void act().then((isDone) => isDone && clear())}
              >
                {text}
              </Button>
            ))}
            <Button size="xs" variant="subtle" onClick={clear}>
              {m.clearSelection}
            </Button>
          </div>
        )
      }}
    </ActionsContext.Consumer>
  )
}

function ItemPanel({ item, isChosen }: { item: WorkItem; isChosen: boolean }) {
  const { work: m } = useOfficeMessages()
  const mayHandle = useMayDo('handle')
  const { title } = useItemTexts()(item)
  return (
    <aside className={`panel ${styles.panel}`} data-chosen={isChosen} aria-label={m.details} key={item.key}>
      <ItemBadge item={item} />
      {(item.type === 'code' || item.type === 'document') && <h2 className={styles.heading}>{title}</h2>}
      {item.type === 'exception' && <ExceptionPanel item={item} />}
      {item.type === 'message' && <MessagePanel item={item} />}
      {item.type === 'code' && <CodePanel item={item} />}
      {item.type === 'document' && <DocumentPanel item={item} />}
      {item.type === 'conversation' && <ConversationPanel item={item} />}
      {item.type === 'order' && <OrderPanel item={item} />}
      {item.type === 'request' && <RequestPanel item={item} />}
      {item.type === 'dispute' && <DisputePanel item={item} />}
      {item.type === 'needed' && <NeededPanel item={item} />}
      {mayHandle && item.type !== 'exception' && (
        <>
          <div className={actionStyles.actions}>
            <HandlingButtons item={item} />
          </div>
          <OwnerField item={item} />
        </>
      )}
    </aside>
  )
}
