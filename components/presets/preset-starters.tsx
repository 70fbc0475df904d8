'use client'

import { useChat, useConversation } from '@/components/context/chat-context'
import { Button } from '@/components/ui/controls/button'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { useLanguage } from '@/components/ui/page/use-language'
import { row } from '@/components/ui/recipes/surface'
import { settingsOfSetup } from '@/lib/shared/conversation/settings/preset'
import { t } from '@/lib/i18n/t'
import { usePresets, useStartChat } from './use-presets'

const InitialSettings = lazyPart(() => import('./initial-settings'), { look: 'silent' })

/** More would push the prompts for every chat out of view; the menu beside "New chat" has all. */
const shown = 6

/** Presets in an empty chat, and what a chosen one means. Renders nothing without presets. */
export default function PresetStarters() {
  useLanguage()
  const { presets } = usePresets()
  const models = useChat((state) => state.models)
  const begin = useStartChat()
  const settings = useConversation((view) => view.conversation?.settings ?? null)
  const readable = (presets ?? []).filter(({ setup }) => setup !== null)
  if (readable.length === 0) return null
  // The chat's settings may have changed in the header or the settings, so the facts are about the current ones.
  const now = JSON.stringify(settings)
  const started = readable.find(({ setup }) => setup && JSON.stringify(settingsOfSetup(setup, models)) === now)
  return (
    <section className="mt-5" aria-label={t('presets.begin-with')}>
      <h3 className="mb-2 text-sm text-muted">{t('presets.begin-with')}</h3>
      <div className={row()}>
        {readable.slice(0, shown).map((preset) => (
          <Button
            key={preset.id}
            className="max-w-full"
            aria-pressed={started?.id === preset.id}
            onClick={() => begin(started?.id === preset.id ? null : preset)}
          >
            <span className="truncate">
              <SentenceText text={preset.name} />
            </span>
          </Button>
        ))}
      </div>
      <p className="mt-2 min-h-5 text-sm text-pretty text-muted" role="status">
        {started?.setup ? <InitialSettings name={started.name} setup={started.setup} /> : null}
      </p>
    </section>
  )
}
