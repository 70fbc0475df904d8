'use client'

import { useEffect, useEffectEvent, useState, useMemo } from 'react'
import { useMessageEditing } from '@/components/assistant-ui/editing-context'
import { focusMessage } from '@/components/context/show-in-page'
import { useTurn } from '@/components/context/use-waiting'
import { TextButton, Button } from '@/components/ui/controls/button'
import { isOnOtherBranch } from '@/lib/client/state/open-conversations'
import type { Turn } from '@/lib/client/state/turn'
import { t } from '@/lib/i18n/t'
import { bubble, message as messageLook } from '@/components/ui/recipes/recipe'
import { note, row as rowLook } from '@/components/ui/recipes/surface'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { useChat, useChatActions, useConversation } from '@/components/context/chat-context'
import { Icon } from '@/components/ui/controls/icon'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { useLanguage } from '@/components/ui/page/use-language'
import { formatsIn } from '@/lib/base/text/locale'
import { nameOf } from '@/lib/vfs/path'
import { isPastedModel } from '@/lib/shared/conversation/wire/tab-run'
import type { WaitingMessage } from '@/lib/client/state/state'
import { MessageEditor } from './message-editor'

interface QueueState {
  readonly turn: Turn
  readonly isFirst: boolean
  readonly isElsewhere: boolean
  readonly online: boolean
}

/** What a queued message waits for. */
const queuedWords = (item: WaitingMessage, now: QueueState): string =>
  item.kept ? queueReasonOf(item, now) : `${queueReasonOf(item, now)} ${t('thread.unsent.page')}`

function queueReasonOf({ entry, why }: WaitingMessage, { turn, isFirst, isElsewhere, online }: QueueState): string {
  if (entry.after === 'edit') return t('thread.queued.edit')
  if (!isFirst) return t('thread.queued.later')
  if (turn === 'writing' || turn === 'working') return t('thread.queued.next')
  if (entry.after === 'turn' && turn !== 'over') return t(`thread.queued.${turn}`)
  if (entry.after === 'turn' && isElsewhere) return t('thread.queued.branch')
  if (why !== undefined) return t('thread.unsent.why', { why })
  return online ? t('thread.queued.next') : t('thread.unsent.waiting', { online: false })
}

/** A message written during a turn, which is sent when the turn is over. */
export function QueuedMessage({ item, isFirst }: { item: WaitingMessage; isFirst: boolean }) {
  const { entry } = item
  const language = useLanguage()
  const [late, setLate] = useState(false)
  const turn = useTurn()
  const isElsewhere = useConversation((view) => isOnOtherBranch(view, entry.parentId))
  const online = useChat((state) => state.online)
  const actions = useChatActions()
  const { messageId, edit } = useMessageEditing()
  const editing = messageId === entry.id
  const files = entry.attachments ?? []
  const tell = async (done: Promise<boolean>) => {
    const isDone = await done
    setLate(!isDone)
    return isDone
  }
  // The message must not be sent while it is edited; it is released however the editor ends.
  const hold = useEffectEvent(() => void actions.holdWaiting(entry.id, true))
  const release = useEffectEvent(() => void actions.holdWaiting(entry.id, false))
  useEffect(() => {
    if (!editing) return
    hold()
    return () => release()
  }, [editing])
  const close = () => {
    edit(null)
    focusMessage()
  }

  return (
    <article className={messageLook({ by: 'you' })} aria-label={t('thread.queued.label')}>
      {editing ? (
        <MessageEditor
          isUnsent
          messageId={entry.id}
          text={entry.text}
          mayBeEmpty={files.length > 0}
          save={(text) => tell(actions.rewriteWaiting(entry.id, text))}
          onClose={close}
        />
      ) : entry.text === '' ? null : (
        <div className={bubble({ state: 'unsent' })} dir="auto">
          <SentenceText text={entry.text} />
        </div>
      )}
      {files.length > 0 ? (
        <div className="text-sm text-muted">
          <SentenceText text={formatsIn(language).listed(files.map(({ path }) => nameOf(path)))} />
        </div>
      ) : null}
      {entry.onCopy ? <p className="text-sm text-muted">{t('frame.on-copy')}</p> : null}
      {editing ? null : (
        <div className="mt-1 flex flex-wrap items-center justify-end gap-x-4 text-sm text-muted">
          <span role="status">
            {queuedWords(item, { turn, isFirst, isElsewhere, online })}
            {late ? ` ${t('thread.on-its-way')}` : ''}
          </span>
          <TextButton onClick={() => edit(entry.id)}>{t('thread.edit')}</TextButton>
          <TextButton onClick={() => void tell(actions.discardWaiting(entry.id))}>
            {t('thread.queued.remove')}
          </TextButton>
          <TextButton onClick={() => void tell(actions.sendNow(entry.id))}>{t('thread.queued.now')}</TextButton>
        </div>
      )}
    </article>
  )
}

interface Now {
  readonly running: boolean
  readonly online: boolean
}

/** What a message waits for, and what the user can do. */
const waitingWords = (message: WaitingMessage, now: Now): string =>
  message.kept ? reasonOf(message, now) : `${reasonOf(message, now)} ${t('thread.unsent.page')}`

function reasonOf({ entry, sending, why }: WaitingMessage, { running, online }: Now): string {
  if (entry.refusal !== null) return t('thread.unsent.refused', { why: entry.refusal })
  if (running) return t('thread.unsent.running')
  if (sending) return t('thread.unsent.sending')
  if (why !== undefined) return t('thread.unsent.why', { why })
  return t('thread.unsent.waiting', { online })
}

const PasteWithoutServer = lazyPart(() => import('./paste/paste-without-server'), {
  what: () => t('thread-part.paste'),
  look: 'line',
})

/** Messages of this chat that the server does not have yet, at their future position. */
export function WaitingMessages() {
  const waiting = useWaitingMessages()
  return waiting.map((item, at) =>
    item.entry.after !== undefined && item.entry.refusal === null ? (
      <QueuedMessage key={item.entry.id} item={item} isFirst={at === 0} />
    ) : (
      <Waiting key={item.entry.id} item={item} />
    ),
  )
}

/** Without a message that is already shown because its first attempt is in progress. */
export function useWaitingMessages(): readonly WaitingMessage[] {
  const outbox = useChat((state) => state.outbox)
  const id = useConversation((view) => view.id)
  const tree = useConversation((view) => view.tree)
  return useMemo(
    () => outbox.filter(({ entry }) => entry.conversationId === id && !tree.has(entry.id)),
    [outbox, id, tree],
  )
}

function Waiting({ item }: { item: WaitingMessage }) {
  const { entry, sending } = item
  const language = useLanguage()
  const [editing, setEditing] = useState(false)
  const [late, setLate] = useState(false)
  const running = useConversation((view) => view.run !== null)
  const online = useChat((state) => state.online)
  const isPasted = useConversation((view) => isPastedModel(view.conversation?.settings.model ?? ''))
  const actions = useChatActions()
  const files = entry.attachments ?? []
  const change = async (done: Promise<boolean>) => {
    const changed = await done
    setLate(!changed)
    return changed
  }

  return (
    <article className={messageLook({ by: 'you' })} aria-label={t('thread.you-unsent')}>
      {editing ? (
        <MessageEditor
          messageId={entry.id}
          text={entry.text}
          mayBeEmpty={files.length > 0 || entry.keepAttachmentsOf !== undefined}
          save={(text) => change(actions.rewriteWaiting(entry.id, text))}
          onClose={() => setEditing(false)}
        />
      ) : entry.text === '' ? null : (
        <div className={bubble({ state: 'unsent' })} dir="auto">
          <SentenceText text={entry.text} />
        </div>
      )}
      {files.length > 0 ? <div>{formatsIn(language).listed(files.map(({ path }) => nameOf(path)))}</div> : null}
      <p className={note()} role="status">
        <Icon name={entry.refusal === null ? 'cut' : 'warn'} />
        {waitingWords(item, { running, online })}
        {late ? ` ${t('thread.on-its-way')}` : ''}
      </p>
      {!online && isPasted ? <PasteWithoutServer /> : null}
      {editing ? null : (
        <div className={rowLook({}, 'mt-1 justify-end')}>
          <Button onClick={actions.sendWaiting} disabled={sending || running}>
            {t('thread.try-now')}
          </Button>
          <Button onClick={() => setEditing(true)} disabled={sending}>
            {t('thread.edit')}
          </Button>
          <Button onClick={() => void change(actions.discardWaiting(entry.id))} disabled={sending}>
            {t('thread.discard')}
          </Button>
        </div>
      )}
    </article>
  )
}
