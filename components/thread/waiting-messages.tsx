'use client'

import { t } from '@/lib/i18n/t'
import { bubble, message as messageLook } from '@/components/ui/recipes/recipe'
import { note, row as rowLook } from '@/components/ui/recipes/surface'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { useMemo, useState } from 'react'
import { useChat, useChatActions, useConversation } from '@/components/context/chat-context'
import { Button } from '@/components/ui/controls/button'
import { Icon } from '@/components/ui/controls/icon'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { useLanguage } from '@/components/ui/page/use-language'
import { formatsIn } from '@/lib/base/text/locale'
import { nameOf } from '@/lib/vfs/path'
import { isPastedModel } from '@/lib/shared/conversation/wire/tab-run'
import type { WaitingMessage } from '@/lib/client/state/state'
import { MessageEditor } from './message-editor'
import { QueuedMessage } from './queued-message'

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
