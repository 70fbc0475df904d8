'use client'

import { useChat } from '@/components/context/chat-context'
import { SaidText } from '@/components/ui/foreign-text'
import { Icon } from '@/components/ui/icon'
import { note } from '@/components/ui/recipes/note'
import type { AssistantMessage, ExactOfReply } from '@/lib/conversation/conversation'
import { nameOfModel } from '@/lib/conversation/tab-run'
import { isBrowserModel } from '@/lib/base/browser-model-id'
import { modelHolder } from '@/lib/conversation/model-holder'
import { exactSentence } from '@/lib/words/exact'

const said = {
  refused: 'exact.said-refused',
  ignored: 'exact.said-ignored',
  broken: 'exact.said-broken',
} as const satisfies Partial<Record<ExactOfReply['is'], string>>

/** Under a reply that was to be exact and is not. */
export default function ExactNote({
  message: { exact, model, strategy, reading },
}: {
  readonly message: AssistantMessage
}) {
  const listed = useChat((state) => state.models?.models.find(({ id }) => id === model)?.label)
  if (!exact || exact.is === 'honoured' || exact.is === 'asked') return null
  // What is listed of this browser has a name of its own; an id says nothing of it.
  const plain = isBrowserModel(model) ? nameOfModel(model) : model.slice(model.indexOf('/') + 1)
  const name = (isBrowserModel(model) && listed) || plain
  const takes = reading === 'whole' ? 'json-schema' : 'grammar'
  return (
    <p className={note({ tall: true }, 'not-first:mt-4')}>
      <Icon name={exact.is === 'broken' ? 'warn' : 'info'} />
      <span>
        <SaidText text={exactSentence(said[exact.is], { by: modelHolder(model), model: name, strategy, takes })} />
      </span>
    </p>
  )
}
