'use client'

import { SentenceText } from '@/components/ui/text/foreign-text'
import { Icon } from '@/components/ui/controls/icon'
import { note } from '@/components/ui/recipes/surface'
import type { AssistantMessage, ExactOfReply } from '@/lib/shared/conversation/conversation'
import { modelHolder } from '@/lib/base/model-id'
import { t } from '@/lib/i18n/t'
import { useModelName } from './outcome-note'

const noteKeys = {
  refused: 'exact.said-refused',
  ignored: 'exact.said-ignored',
  broken: 'exact.said-broken',
} as const satisfies Partial<Record<ExactOfReply['is'], string>>

/** Under a reply that should have been constrained and is not. */
export default function ExactNote({
  message: { exact, model, strategy, reading },
}: {
  readonly message: AssistantMessage
}) {
  const name = useModelName(model)
  if (!exact || exact.is === 'honoured' || exact.is === 'asked') return null
  const takes = reading === 'whole' ? 'json-schema' : 'grammar'
  return (
    <p className={note({ tall: true }, 'not-first:mt-4')}>
      <Icon name={exact.is === 'broken' ? 'warn' : 'info'} />
      <span>
        <SentenceText text={t(noteKeys[exact.is], { by: modelHolder(model), model: name, strategy, takes })} />
      </span>
    </p>
  )
}
