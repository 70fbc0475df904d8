'use client'

import { t } from '@/lib/i18n/t'
import { shortName } from '@/lib/i18n/model-label'
import { useChat, useChatActions, useConversation } from '@/components/context/chat-context'
import { TextButton } from '@/components/ui/controls/button'
import { Icon } from '@/components/ui/controls/icon'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { useLanguage } from '@/components/ui/page/use-language'
import { note } from '@/components/ui/recipes/surface'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { temporaryChatMs } from '@/lib/shared/conversation/wire/api-types'

const ProjectMark = lazyPart(() => import('@/components/conversations/projects/project-mark'), { look: 'silent' })

/** The line under the header of a chat that is temporary or in a project. */
export default function ChatMark() {
  useLanguage()
  const isTemporary = useConversation((view) => view.conversation?.temporary === true)
  const project = useConversation((view) => view.conversation?.project)
  if (isTemporary) return <TemporaryMark />
  return project === undefined ? null : <ProjectMark id={project} />
}

/** When the temporary chat is deleted, what still leaves the browser, and a button to keep it. */
function TemporaryMark() {
  const isStored = useConversation((view) => view.phase === 'ready')
  const model = useConversation((view) => view.conversation?.settings.model ?? '')
  const listed = useChat((state) => state.models?.models.find(({ id }) => id === model))
  const { keepChat } = useChatActions()
  return (
    <div className="border-b border-dashed border-line-strong px-5 py-2 narrow:px-3">
      <p className={note({}, 'mx-auto max-w-column items-start')} role="note">
        <Icon name="temporary" />
        <span className="min-w-0 flex-1">
          <strong className="font-medium text-text">{t('temporary.name')}</strong>{' '}
          <SentenceText
            text={t('base.sentences', {
              all: [
                t('temporary.about', { minutes: temporaryChatMs / 60_000 }),
                listed ? t('temporary.leaves', { model: shortName(listed) }) : t('temporary.leaves-unknown'),
              ],
            })}
          />{' '}
          {isStored ? <TextButton onClick={() => void keepChat()}>{t('temporary.keep')}</TextButton> : null}
        </span>
      </p>
    </div>
  )
}
