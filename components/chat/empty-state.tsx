'use client'

import { frameSentence } from '@/lib/words/frame'
import { useEffect, useState } from 'react'
import { useThread } from '@/components/assistant-ui/thread-door'
import { whenSomebodyIsHere } from '@/components/context/somebody-here'
import { lazyPart } from '@/components/ui/lazy-part'
import { Icon } from '@/components/ui/icon'
import { emptyState, emptyTitle, panel } from '@/components/ui/recipes/surface'
import { useChat } from '@/components/context/chat-context'
import { viewOf } from '@/lib/client/open-conversations'

const PresetStarters = lazyPart(() => import('@/components/presets/preset-starters'), { look: 'silent' })

/** Most servers have none. */
const ModelProblems = lazyPart(() => import('./model-problems'), {
  what: () => frameSentence('frame.missing-models'),
  look: 'line',
})

const prompts = ['page', 'table', 'file', 'look', 'code', 'ask'] as const

export function EmptyState() {
  const { append } = useThread()
  const [isHere, setHere] = useState(false)
  useEffect(() => whenSomebodyIsHere(() => setHere(true)), [])
  const hasProblems = useChat((state) => (state.models?.problems.length ?? 0) > 0)
  const simulated = useChat(
    (state) =>
      state.models?.models.find((one) => one.id === viewOf(state).conversation?.settings.model)?.simulated ?? false,
  )
  return (
    <div className={emptyState()}>
      <h2 className={emptyTitle()}>{frameSentence('frame.empty.title')}</h2>
      <p>{frameSentence('frame.empty.about')}</p>
      <div className="mt-6 grid grid-cols-2 gap-2 narrow:grid-cols-1">
        {prompts.map((prompt) => (
          <button
            type="button"
            className={panel({}, 'grid content-start px-3.5 py-3 hover:border-control last:odd:col-span-full')}
            key={prompt}
            onClick={() => append(frameSentence(`frame.start.${prompt}-text`))}
          >
            <b className="block font-medium">{frameSentence(`frame.start.${prompt}`)}</b>
            <span className="text-sm text-muted">{frameSentence(`frame.start.${prompt}-text`)}</span>
          </button>
        ))}
      </div>
      {isHere ? <PresetStarters /> : null}
      {hasProblems ? <ModelProblems /> : null}
      {simulated ? (
        <div className="mt-5 flex gap-2 text-sm text-muted">
          <Icon name="info" className="mt-0.75 size-3.5" />
          <span>{frameSentence('frame.empty.demo')}</span>
        </div>
      ) : null}
    </div>
  )
}
