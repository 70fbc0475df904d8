'use client'

import { useCommand } from '@/components/context/commands'
import type { AssistantMessage, ToolCallConfig } from '@/lib/shared/conversation/conversation'
import { type MessageCall, promotedSlot } from '@/lib/shared/calls/message-calls'
import { focusNextWaiting } from './scope/card-keys'
import { useMessageCallsView, type MessageCallsView } from './scope/use-message-calls'
import { type MessagePart, type StackItem, parsedReply } from '@/lib/client/state/parsed-reply'
import { PlainPart } from './parts/plain-part'
import { useMemo, useState } from 'react'
import { useCallActions, useConversation, useThreadActions, useAnswer } from '../context/chat-context'
import { useTools } from '../context/tools-context'
import { Guarded } from '../ui/page/page-failed'
import { lazyPart } from '../ui/page/lazy-part'
import { stack } from '../ui/recipes/recipe'
import { PlainText } from '../ui/text/plain-text'
import { useLanguage } from '../ui/page/use-language'
import { openCopy } from '@/lib/shared/calls/copy'
import { isOfLastTurn } from '@/lib/shared/conversation/outline'
import type { ExecutionDecision } from '@/lib/client/calls/approval/approval-ui'
import { approvalKey } from '@/lib/client/calls/approval/inline-approval'
import { t } from '@/lib/i18n/t'
import { mayNameArtifact } from '@/lib/client/files/artifact/artifact-kind'
import { discoverTools } from '@/lib/shared/tools/discovery'
import { BatchBar } from './batch/batch-bar'
import { CopyOffer } from './copy/copy-offer'
import { isCancelled, type CallEntry } from './scope/call-scope'
import { RoundsNote, CancelledBar, stoppedOf } from './batch/rounds-note'
import { useGuardedMoves } from './scope/guard-moves'
import { ReplyScopeProvider, useReplyScope } from './scope/reply-scope'
import { useToolConfig } from './scope/use-tool-config'
import { FirstCard } from './reply/first-card'
import { Button } from '../ui/controls/button'
import { Icon } from '../ui/controls/icon'
import { note } from '../ui/recipes/surface'
import { loadedMessagesOf } from '@/lib/shared/conversation/message-tree'
import type { BrokenSegment } from '@/lib/protocols/types/segment'
import type { CallToWrite } from '@/lib/protocols/types/tool-context-def'
import type { ToolSet } from '@/lib/shared/tools/tool-registry'
import { normalizePath } from '@/lib/vfs/path'
import { fixRounds } from '@/lib/shared/calls/derive-call-state'
import { CallCard } from './card/call-card'
import { BrokenCard, type BrokenCardProps } from './no-call/broken-card'
import { InactiveCallCard } from './no-call/inactive-call-card'

/** A call, or something that is not one yet: quoted, foreign or broken text that the user has not used. */
function StackCard({ item, slot, entry }: { item: StackItem; slot: number; entry: CallEntry | undefined }) {
  const { message, view } = useReplyScope()
  const actions = useCallActions()
  const { append } = useThreadActions()
  const [isPromoted, setIsPromoted] = useState(false)
  const lift = (call: CallToWrite | null) => {
    setIsPromoted(true)
    return actions.amend(message.id, slot, call)
  }
  if (entry) {
    return <CallCard entry={entry} raw={item.raw} takesFocus={isPromoted} />
  }
  switch (item.kind) {
    case 'live':
      return null
    case 'inactive':
      return (
        <InactiveCallCard
          call={item.call}
          strategy={message.strategy}
          model={message.model}
          raw={item.raw}
          place={item.place}
          onLift={view.canAsk ? () => lift(null) : null}
        />
      )
    case 'broken':
      return (
        <CountedBrokenCard
          broken={item.broken}
          raw={item.raw}
          onAsk={view.canAsk ? (text) => void append(text) : null}
          onUse={view.canAsk ? lift : null}
        />
      )
  }
}

/** Separate from the other cards, which need not follow every change of the branch. */
function CountedBrokenCard(props: Omit<BrokenCardProps, 'rounds' | 'strategy' | 'tools'>) {
  const { message, tools } = useReplyScope()
  const path = useConversation((view) => loadedMessagesOf(view.path))
  const config = useToolConfig()
  const all = useTools()
  const rounds = fixRounds(path, message.id, props.broken, (reply) => brokenOf(reply, config, all))
  return <BrokenCard {...props} strategy={message.strategy} tools={tools} rounds={rounds} />
}

const brokenOf = (reply: AssistantMessage, config: ToolCallConfig, tools: ToolSet): readonly BrokenSegment[] =>
  parsedReply(reply, config, tools).segments.filter((segment) => segment.kind === 'broken')

/**
 * Everything is decided, but the results are still here: after a reload at the wrong moment, or when the server held
 * them back.
 */
function UnsentResults({ messageId, view }: { messageId: string; view: MessageCallsView }) {
  const actions = useCallActions()
  const [asked, setAsked] = useState(false)
  // After a reload nothing else says why.
  const isPreview = useConversation((shown) => openCopy(shown.grants)?.scope.isPreview === true)
  if (!view.unsent) return null
  return (
    <div className={note({}, 'narrow:flex-wrap')} role="status">
      <Icon name="info" />
      <span>{view.unsent.problem ?? t(isPreview ? 'copy.preview-held' : 'card-running.unsent')}</span>
      <Button
        className="ms-auto"
        disabled={asked && !view.unsent.problem}
        onClick={() => {
          setAsked(true)
          actions.notifyModel(messageId, view.unsent?.slot ?? 0)
        }}
      >
        {t(isPreview ? 'copy.preview-send' : view.unsent.problem ? 'card-running.continue' : 'card-running.tell')}
      </Button>
    </div>
  )
}

const ReplyArtifacts = lazyPart(() => import('@/components/files/artifact/reply-artifacts'), {
  look: 'silent',
})

interface CardStackProps {
  readonly message: AssistantMessage
  readonly items: readonly StackItem[]
  readonly view: MessageCallsView
}

/** A reply's files are read from the file history, which loads on demand: not for calls that name no such file. */
const mayHaveMadeOne = ({ state, call }: MessageCallsView['entries'][number]): boolean =>
  state.status === 'completed' && mayNameArtifact(JSON.stringify(call.arguments ?? null))

/** The files that finished cards open. */
function openedFiles(entries: MessageCallsView['entries'], tools: ToolSet): ReadonlySet<string> {
  const paths = entries.flatMap(({ call, state }) => {
    const opens = state.status === 'completed' ? tools.get(call.name)?.card.summarize(call.arguments).opens : undefined
    const path = opens === undefined ? null : normalizePath(opens)
    return path?.ok === true ? [path.value] : []
  })
  return new Set(paths)
}

/** Finished calls in a row are one list with hairlines. */
const oneList =
  '[&>[data-call-card=completed]:has(+[data-call-card=completed])]:rounded-b-none [&>[data-call-card=completed]+[data-call-card=completed]]:-mt-[calc(0.5rem+1px)] [&>[data-call-card=completed]+[data-call-card=completed]]:rounded-t-none'

/** The slot of an item that is, or would become, a call. */
const slotOf = (item: StackItem): number => {
  switch (item.kind) {
    case 'live':
      return item.slot
    case 'inactive':
      return promotedSlot(item.call.start)
    case 'broken':
      return promotedSlot(item.broken.start)
  }
}

/** Consecutive cards. The first waiting stack has the batch bar; the last one has the remaining actions. */
function CardStack({ message, items, view }: CardStackProps) {
  // The surrounding reply is `memo`.
  useLanguage()
  const answer = useAnswer()
  const decide = (slots: readonly number[], decision: ExecutionDecision) => {
    const keys = slots.flatMap((slot) => {
      const entry = view.entries.find((one) => one.slot === slot)
      return entry ? [approvalKey(message.id, entry)] : []
    })
    void answer('run', keys, decision)
  }
  const holds = (slot: number | undefined) => items.some((item) => slotOf(item) === slot)
  const config = useToolConfig()
  const all = useTools()
  const tools = discoverTools(all, config)
  const scope = useMemo(() => ({ message, tools, view }), [message, tools, view])
  const { batch, waiting } = view
  const sideBySide = config.parallelExecution
  const mayUndo = useMayUndo(message, view)
  const stopped = stoppedOf(view.entries)
  const cancelled = stopped.find(isCancelled)
  const mayHaveMade = useMemo(() => view.entries.some(mayHaveMadeOne), [view.entries])
  const opened = useMemo(() => openedFiles(view.entries, all), [view.entries, all])
  return (
    <ReplyScopeProvider value={scope}>
      <div className={stack({}, oneList)}>
        {view.hasBatch && holds(waiting[0]?.slot) ? (
          <BatchBar
            batch={batch}
            sideBySide={sideBySide}
            onRun={(slots, stopAtFailure) => decide(slots, { kind: 'run', stopAtFailure })}
            onDeny={(slots) => decide(slots, { kind: 'deny', reason: '' })}
            onSkip={(slots) => decide(slots, { kind: 'skip' })}
          />
        ) : null}
        {cancelled && holds(cancelled.slot) ? <CancelledBar messageId={message.id} stopped={stopped} /> : null}
        {items.map((item) => {
          const slot = slotOf(item)
          const entry = view.entries.find((one) => one.slot === slot)
          return (
            <Guarded
              key={slot}
              what={t('card-running.card')}
              plain={<PlainText text={item.raw} />}
              resetKey={entry?.state}
            >
              <FirstCard
                id={`${message.id}:${slot}`}
                raw={item.raw}
                strategy={message.strategy}
                waits={entry?.state.status === 'awaiting_approval'}
                asks={(entry && all.get(entry.call.name)?.policy.asksUser) === true}
              >
                <StackCard item={item} slot={slot} entry={entry} />
              </FirstCard>
            </Guarded>
          )
        })}
        {holds(waiting.at(-1)?.slot) ? <CopyOffer /> : null}
        {holds(view.entries.at(-1)?.slot) ? (
          <>
            <RoundsNote message={message} view={view} />
            {mayHaveMade ? (
              <ReplyArtifacts conversationId={message.conversationId} messageId={message.id} opened={opened} />
            ) : null}
            <UnsentResults messageId={message.id} view={view} />
            {mayUndo ? <LazyReplyUndo conversationId={message.conversationId} messageId={message.id} /> : null}
          </>
        ) : null}
      </div>
    </ReplyScopeProvider>
  )
}

const LazyReplyUndo = lazyPart(() => import('@/components/files/reply-undo'), {
  look: 'silent',
})

/**
 * Whether several of its calls may have changed files, before the user's next message; older replies have the undo in
 * the workspace.
 */
function useMayUndo(message: AssistantMessage, { entries }: MessageCallsView): boolean {
  const tools = useTools()
  const isOfTurn = useConversation((view) => isOfLastTurn(view.path, message.id))
  const writing = entries.filter(
    ({ call, record }) => record?.decision === 'run' && tools.get(call.name)?.policy.capabilities.files === 'write',
  )
  return isOfTurn && writing.length > 1
}

export interface ReplyWithCardsProps {
  readonly message: AssistantMessage
  /** Something in it may be run. */
  readonly complete: boolean
  readonly parts: readonly MessagePart[]
  readonly calls: readonly MessageCall[]
}

/** Separate, so that replies without calls neither load it nor follow every change of a call. */
export default function ReplyWithCards({ message, complete, parts, calls }: ReplyWithCardsProps) {
  const view = useMessageCallsView(message, calls)
  useGuardedMoves()
  useCommand('waiting', focusNextWaiting, complete && view.waiting.length > 0)
  return parts.map((part) =>
    part.kind === 'stack' ? (
      <CardStack key={part.start} message={message} items={part.items} view={view} />
    ) : (
      <PlainPart key={part.start} part={part} />
    ),
  )
}
