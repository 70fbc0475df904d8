'use client'

import { t } from '@/lib/i18n/t'
import { messagesId, requestOpenFile } from '@/components/context/show-in-page'
import { column } from '@/components/ui/recipes/surface'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type RefObject,
  useEffectEvent,
} from 'react'
import { useConversation, useThreadActions } from '@/components/context/chat-context'
import { CodeCache, RunCode, type CodeToRun, type CodeCacheProps } from '@/components/markdown/code/code-cache'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { Wait } from '@/components/ui/page/wait'
import { isHere, type ChatRow } from '@/lib/shared/conversation/message-tree'
import type { Message } from '@/lib/shared/conversation/conversation'
import { AbsentRow, ImportedNote, OlderNote } from './scroll/absent-row'
import { MessageRow } from './message-row'
import { useJumping, type ScrollToMessage, useMarkSeen, useScrollAnchor } from './scroll/use-jumping'
import { WaitingMessages } from './waiting-messages'
import { AssistantThread } from '@/components/assistant-ui/message-scope'
import { justEnded, openCopy } from '@/lib/shared/calls/copy'
import { followView, type ViewFollower } from './scroll/follow-view'

/** The scroller's following controls, connected by the thread. */
interface FollowEnd {
  /** Null: nothing is followed. */
  readonly onFollow: (follower: ViewFollower | null) => void
  /** The reader scrolled away, or is back: show or hide the button to the end. */
  readonly onAway: (away: boolean) => void
}

/** Runs `followView` while `content` is mounted; another content (another chat) starts at its end. */
function useFollowEnd(
  view: HTMLElement,
  content: RefObject<HTMLElement | null>,
  { onFollow, onAway }: FollowEnd,
): void {
  useLayoutEffect(() => {
    if (!content.current) return
    const mine = followView(view, content.current, onAway)
    onFollow(mine)
    return () => {
      mine.dispose()
      onFollow(null)
      onAway(false)
    }
  }, [view, content, onFollow, onAway])
}

/** Shows a message's branch once it is loaded. */
function ShowBranch({ messageId }: { messageId: string }) {
  const isLoaded = useConversation((view) => view.tree.has(messageId))
  const { switchBranch } = useThreadActions()
  const show = useEffectEvent(() => switchBranch(messageId))
  useEffect(() => {
    if (isLoaded) show()
  }, [isLoaded])
  return null
}

const OverThread = lazyPart(() => import('./compare/over-thread'), { look: 'silent' })

/** Saves a reply's code to its chat's files. */
const SaveCode = lazyPart(() => import('@/components/files/save-code'), {
  what: () => t('thread-part.save'),
  look: 'line',
})
const saveCode = (props: CodeCacheProps) => <SaveCode {...props} />

/**
 * The last messages are always rendered, so that a reply keeps its elements from streaming to cards. Earlier ones are a
 * virtual list. Heights are cached, so that a message that moves into the list does not jump.
 */
const tailLength = 6

const heights = new WeakMap<Message, number>()
const guess = (row: ChatRow | undefined): number =>
  row ? (isHere(row) && heights.get(row)) || (row.role === 'user' ? 96 : 420) : 0

/** A reply's cards depend on the message after it, so it is shown once that one is loaded too. */
const isComplete = (path: readonly ChatRow[], at: number): boolean =>
  isHere(path[at]) && (path[at]?.role === 'user' || at === path.length - 1 || isHere(path[at + 1]))

export interface ThreadProps extends FollowEnd {
  /** The scrolling element, which exists before the thread. */
  readonly scroller: HTMLElement
}

export default function Thread({ scroller, onFollow, onAway }: ThreadProps) {
  const content = useRef<HTMLDivElement>(null)
  const [log, setLog] = useState<HTMLDivElement | null>(null)
  const contentRef = useCallback((element: HTMLDivElement | null) => {
    content.current = element
    setLog(element)
  }, [])
  useFollowEnd(scroller, content, { onFollow, onAway })
  const path = useConversation((view) => view.path)
  const isLoading = useConversation((view) => view.phase === 'loading' && view.path.length === 0)
  const tailStart = Math.max(0, path.length - tailLength)
  const tail = useMemo(() => path.slice(tailStart), [path, tailStart])
  const scrollToMessage = useRef<ScrollToMessage>(null)
  const elsewhere = useJumping(scroller, path, scrollToMessage)
  const conversationId = useConversation((view) => view.conversation?.id ?? null)
  const runCode = useMemo(
    () =>
      conversationId === null
        ? null
        : ({ name, text }: CodeToRun) =>
            requestOpenFile({ conversationId, path: `/${name}`, beside: { run: true, text } }),
    [conversationId],
  )
  return (
    <AssistantThread>
      <CodeCache value={saveCode}>
        <RunCode value={runCode}>
          <div
            className={column()}
            id={messagesId}
            role="log"
            aria-label={t('frame.messages')}
            aria-live="off"
            tabIndex={-1}
            ref={contentRef}
          >
            <PartOnPaper />
            {isLoading ? <Wait what={t('thread.loading')} /> : null}
            <ImportedNote />
            {elsewhere ? <ShowBranch key={elsewhere.messageId} messageId={elsewhere.messageId} /> : null}
            {tailStart > 0 ? (
              <Earlier path={path} count={tailStart} scroller={scroller} scrollToMessage={scrollToMessage} />
            ) : null}
            <Tail rows={tail} path={path} first={tailStart} />
            <WaitingMessages />
            <WorkOnCopy />
            {log ? <OverThread log={log} /> : null}
          </div>
        </RunCode>
      </CodeCache>
    </AssistantThread>
  )
}

const CopyHost = lazyPart(() => import('@/components/tool-call/copy/copy-host'), {
  what: () => t('copy.part'),
  look: 'line',
})

/** Few chats work on a copy. */
function WorkOnCopy() {
  const shows = useConversation((view) => (openCopy(view.grants) ?? justEnded(view.grants, view.path)) !== null)
  return shows ? <CopyHost /> : null
}

/** The browser's own print command prints only what is rendered, so every sheet says so. */
const PartOnPaper = () => (
  <p className="hidden bg-surface pb-2 text-sm print:fixed print:inset-x-0 print:top-0 print:z-alarm print:block">
    {t('thread-part.on-paper')}
  </p>
)

/** Marks a found message for a moment. */
const found = 'rounded-lg outline-offset-4 data-found:outline-2 data-found:outline-accent'

interface EarlierProps {
  readonly path: readonly ChatRow[]
  readonly count: number
  readonly scroller: HTMLElement
  readonly scrollToMessage: RefObject<ScrollToMessage | null>
}

function Earlier({ path, count, scroller, scrollToMessage }: EarlierProps) {
  const list = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller,
    estimateSize: (index) => guess(path[index]),
    getItemKey: (index) => path[index]?.id ?? index,
    overscan: 4,
    scrollMargin: 24,
  })
  useEffect(() => {
    scrollToMessage.current = (index) => index < count && virtual.scrollToIndex(index, { align: 'start' })
  }, [scrollToMessage, virtual, count])
  const items = virtual.getVirtualItems()
  const isWaiting = useMarkSeen(path, items.at(0)?.index ?? 0, (items.at(-1)?.index ?? -1) + 1)
  const start = (items[0]?.start ?? virtual.options.scrollMargin) - virtual.options.scrollMargin
  const size = virtual.getTotalSize()
  // Set by script instead of a style attribute, which the content security policy forbids.
  useLayoutEffect(() => {
    if (!list.current) return
    list.current.style.height = `${size}px`
    list.current.style.paddingTop = `${start}px`
  }, [size, start])
  return (
    <>
      {isWaiting ? <OlderNote /> : null}
      <div className="flow-root" ref={list}>
        {items.map((item) => {
          const row = path[item.index]
          return row ? (
            <div
              key={item.key}
              className={`flow-root ${found}`}
              data-index={item.index}
              data-message={row.id}
              ref={virtual.measureElement}
            >
              {isHere(row) && isComplete(path, item.index) ? (
                <MessageRow message={row} index={item.index} isLast={false} />
              ) : (
                <AbsentRow role={row.role} />
              )}
            </div>
          ) : null
        })}
      </div>
    </>
  )
}

function Tail({ rows, path, first }: { rows: readonly ChatRow[]; path: readonly ChatRow[]; first: number }) {
  const isWaiting = useScrollAnchor(rows)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = list.current
    if (!element) return
    const remember = () => {
      for (const [index, row] of rows.entries()) {
        const shown = element.children[index]
        if (isHere(row) && shown instanceof HTMLElement) heights.set(row, shown.offsetHeight)
      }
    }
    const observer = new ResizeObserver(remember)
    observer.observe(element)
    return () => observer.disconnect()
  }, [rows])
  return (
    <>
      {isWaiting ? <OlderNote /> : null}
      <div ref={list}>
        {rows.map((row, index) => {
          const at = first + index
          const isLast = at === path.length - 1
          return (
            <div
              key={row.id}
              className={`flow-root ${found}`}
              data-message={row.id}
              data-last-message={isLast ? '' : undefined}
            >
              {isHere(row) && isComplete(path, at) ? (
                <MessageRow message={row} index={at} isLast={isLast} />
              ) : (
                <AbsentRow role={row.role} />
              )}
            </div>
          )
        })}
      </div>
    </>
  )
}
