'use client'

import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { Button } from '@/components/ui/controls/button'
import { useLanguage } from '@/components/ui/page/use-language'
import { t } from '@/lib/i18n/t'
import type { Preset } from '@/lib/shared/conversation/settings/preset'
import { starterPrompts, type StarterPrompt } from '@/lib/shared/conversation/settings/starter-prompts'

/** Starter prompts that are not presets yet; editing one makes it a preset. */
export default function StarterRows({
  presets,
  onEdit,
}: {
  readonly presets: readonly Preset[]
  readonly onEdit: (starter: StarterPrompt) => void
}) {
  const language = useLanguage()
  const known = new Set(presets.map(({ id }) => id))
  const left = starterPrompts(language).filter(({ id }) => !known.has(id))
  if (left.length === 0) return null
  return (
    <details className="mt-3">
      <summary className="text-sm">{t('presets.starters', { count: left.length })}</summary>
      <ul className="mt-2 grid gap-2">
        {left.map((starter) => (
          <li key={starter.id} className="flex items-start gap-3">
            <span className="min-w-0 flex-1">
              <b className="block font-medium">{starter.name}</b>
              <small className="line-clamp-2 text-sm text-muted">{starter.prompt}</small>
            </span>
            <Button
              aria-label={labelOf(t('presets.edit-starter', { name: asUntrusted(starter.name) }))}
              onClick={() => onEdit(starter)}
            >
              {t('thread.edit')}
            </Button>
          </li>
        ))}
      </ul>
    </details>
  )
}
