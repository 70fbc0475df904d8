'use client'

import { SentenceText } from '@/components/ui/text/foreign-text'
import { Icon } from '@/components/ui/controls/icon'
import { note } from '@/components/ui/recipes/surface'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { lostPositions } from '@/lib/base/text/characters'
import { modelHolder } from '@/lib/base/model-id'
import { isPastedModel } from '@/lib/shared/conversation/wire/tab-run'
import { t } from '@/lib/i18n/t'
import { useModelName } from './outcome-note'

/** Under a reply that contained bytes that are not text. */
export default function LostNote({ message: { text, model, exact } }: { readonly message: AssistantMessage }) {
  const name = useModelName(model)
  const by = isPastedModel(model) ? 'person' : modelHolder(model)
  return (
    <p className={note({ tall: true }, 'not-first:mt-4')}>
      <Icon name="warn" />
      <span>
        <SentenceText
          text={t('lost.said', {
            count: lostPositions(text),
            wasExact: exact?.is === 'asked',
            by,
            model: name,
          })}
        />
      </span>
    </p>
  )
}
