'use client'

import { lazyPart } from '@/components/ui/lazy-part'
import type { CallToWrite } from '@/lib/protocols/types/tool-context-def'
import { t } from '@/lib/i18n/t'
import { useCall } from '../scope/call-scope'
import { useCodeOf } from '../words/use-tool-words'
import { note } from '@/components/ui/recipes/note'

/** The form for a call, loaded on first need. */
export const LazyCallEditor = lazyPart(() => import('./call-editor'), {
  what: () => t('card-edit.part'),
  loading: () => <p className={note({ place: 'inset' })}>{t('card-edit.loading')}</p>,
  close: ({ onCancel }) => onCancel,
})

/** The editor of a card. It closes when the change is stored. `nearest`: the tool can be chosen, these names first. */
export function EditPanel({ nearest }: { nearest: readonly string[] | null }) {
  const { messageId, entry, tools, decide, setPanel } = useCall()
  const codeOf = useCodeOf()
  const { call } = entry
  const close = () => setPanel(null)
  const save = async (next: CallToWrite) => {
    const refused = await decide.amend(next)
    if (refused === null) close()
    return refused
  }
  return (
    <LazyCallEditor
      call={{ name: call.name, arguments: call.arguments }}
      tools={tools}
      nearest={nearest}
      codeOf={codeOf}
      keptAs={`arguments:${messageId}:${entry.slot}`}
      onSave={save}
      onCancel={close}
    />
  )
}
