'use client'

import type { Message, AssistantMessage } from '@/lib/shared/conversation/conversation'
import { t } from '@/lib/i18n/t'
import { useOlder, useOlderStatus } from '@/components/context/use-older'
import { Button } from '@/components/ui/controls/button'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { Icon } from '@/components/ui/controls/icon'
import { cx, message as messageLook } from '@/components/ui/recipes/recipe'
import { Spinner } from '@/components/ui/page/wait'
import { note } from '@/components/ui/recipes/surface'
import { useConversation } from '@/components/context/chat-context'

const line = 'h-3 rounded-sm bg-hover'

/** A placeholder for a message that is not loaded, about as high as one; `OlderNote` shows its state. */
export function AbsentRow({ role }: { role: Message['role'] }) {
  return role === 'user' ? (
    <div className={messageLook({ by: 'you' }, 'h-14')} aria-hidden="true" data-absent="">
      <div className="ms-auto h-9 w-2/5 rounded-lg bg-hover" />
    </div>
  ) : (
    <div className={messageLook({}, 'grid h-95 content-start gap-3')} aria-hidden="true" data-absent="">
      <div className={line} />
      <div className={`${line} w-11/12`} />
      <div className={`${line} w-2/3`} />
    </div>
  )
}

/** Above placeholders: says that the messages are loading, or why they fail and what to do. It takes no space. */
export function OlderNote() {
  const { problem } = useOlderStatus()
  const older = useOlder()
  return (
    <div className="sticky top-3 z-above flex h-0 justify-center" role={problem === null ? 'status' : 'alert'}>
      <p className={olderNote}>
        {problem === null ? (
          <>
            <Spinner /> {t('thread.older')}
          </>
        ) : (
          <>
            <Icon name="warn" />
            <span className="min-w-0 flex-1 text-pretty">
              <SentenceText text={t('thread.older-failed', { why: problem })} />
            </span>
            <Button onClick={older.retry}>{t('thread.try-again')}</Button>
          </>
        )}
      </p>
    </div>
  )
}

const olderNote = cx(
  'flex h-fit max-w-full items-center gap-2 rounded-full border border-line bg-raised px-4 py-1.5 text-sm text-muted shadow-card',
)

/** Above the history of an imported chat: nothing proves its content. */
export function ImportedNote() {
  const importedAt = useConversation((view) => view.conversation?.importedAt)
  if (importedAt === undefined) return null
  return (
    <p className={note()}>
      <Icon name="info" />
      <span>{t('thread.imported', { at: importedAt })}</span>
    </p>
  )
}

/** Replaces a reply until its parser is loaded. Its text is not shown, because a call in it is not prose. */
export function ReplyComing({ message }: { message: AssistantMessage }) {
  if (message.outcome !== null) return <AbsentRow role={message.role} />
  return (
    <article className={messageLook()} aria-label={t('frame.assistant')} aria-busy>
      <p className={note({}, 'tabular-nums')}>
        {t(message.text === '' && message.reasoning === '' ? 'thread.first-words' : 'thread.reply-loading')}
      </p>
    </article>
  )
}
