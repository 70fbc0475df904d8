'use client'

import { useEffect, useEffectEvent, useState } from 'react'
import { useMessageEditing } from '@/components/assistant-ui/editing-context'
import { useChat, useChatActions, useConversation } from '@/components/context/chat-context'
import { focusMessage } from '@/components/context/show-in-page'
import { useTurn } from '@/components/context/use-waiting'
import { TextButton } from '@/components/ui/controls/button'
import { useLanguage } from '@/components/ui/page/use-language'
import { bubble, message as messageLook } from '@/components/ui/recipes/recipe'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { formatsIn } from '@/lib/base/text/locale'
import { isOnOtherBranch } from '@/lib/client/state/open-conversations'
import type { WaitingMessage } from '@/lib/client/state/state'
import type { Turn } from '@/lib/client/state/turn'
import { t } from '@/lib/i18n/t'
import { nameOf } from '@/lib/vfs/path'
import { MessageEditor } from './message-editor'

interface Now {
  readonly turn: Turn
  readonly isFirst: boolean
  readonly isElsewhere: boolean
  readonly online: boolean
}

/** What a queued message waits for. */
const queuedWords = (item: WaitingMessage, now: Now): string =>
  item.kept ? reasonOf(item, now) : `${reasonOf(item, now)} ${t('thread.unsent.page')}`

function reasonOf({ entry, why }: WaitingMessage, { turn, isFirst, isElsewhere, online }: Now): string {
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
  const letGo = useEffectEvent(() => void actions.holdWaiting(entry.id, false))
  useEffect(() => {
    if (!editing) return
    hold()
    return () => letGo()
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
