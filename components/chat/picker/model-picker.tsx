'use client'

import { useId, useMemo, useState } from 'react'
import { useChat, useChatActions, useConversation } from '@/components/context/chat-context'
import { useOfferedTools } from '@/components/context/tools-context'
import { Button } from '@/components/ui/button'
import { SaidText } from '@/components/ui/foreign-text'
import { Icon } from '@/components/ui/icon'
import { PageLink } from '@/components/ui/page-link'
import { Popover } from '@/components/ui/popover'
import { floating } from '@/components/ui/recipes/surface'
import type { PopoverPlace } from '@/components/ui/use-popover-button'
import { keepRecentModel, recentModels } from '@/lib/client/recent-models'
import type { ConversationSettings } from '@/lib/conversation/conversation'
import { problemsOfModels } from '@/lib/conversation/model-problems'
import { nameOfModel } from '@/lib/conversation/tab-run'
import { measuredBest } from '@/lib/lab/measured-best'
import type { ModelInfo } from '@/lib/models/model'
import { promptCost } from '@/lib/strategies/prompt-cost'
import { strategyIds } from '@/lib/strategies/tool-context-def'
import { labStorage } from '@/lib/wiring/lab-storage.browser'
import { t } from '@/lib/i18n/t'
import { FormatChoices } from './format-choices'
import { ModelChoices } from './model-choices'
import { groupHead } from './picker-look'

export interface ModelPickerProps {
  readonly at: PopoverPlace
  readonly onClose: () => void
  readonly onAdd: () => void
}

const none: readonly string[] = []

/** The model and the call format of the open chat: beside each other, on a phone one below the other. */
export default function ModelPicker({ at, onClose, onAdd }: ModelPickerProps) {
  const heading = useId()
  const settings = useConversation((view) => view.conversation?.settings ?? null)
  const models = useChat((state) => state.models?.models ?? null)
  const { updateSettings } = useChatActions()
  const [storage] = useState(labStorage)
  const [recent] = useState(() => recentModels(storage))
  const tools = useOfferedTools(settings?.tools ?? null)
  const costs = useMemo(
    () => new Map(tools.length === 0 ? [] : strategyIds.map((id) => [id, promptCost(id, tools)] as const)),
    [tools],
  )
  if (!settings) return null
  const listed = models && withCurrent(models, settings.model)
  const pick = (patch: Partial<Pick<ConversationSettings, 'model' | 'strategy'>>) => {
    onClose()
    // When it can't be stored the controller puts the old value back, and says so above the composer.
    void updateSettings({ ...settings, ...patch })
  }
  return (
    <Popover
      at={at}
      onClose={onClose}
      role="dialog"
      aria-label={t('frame.picker')}
      tabIndex={-1}
      // Whoever goes on by Tab is done with it.
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) onClose()
      }}
      className={floating(
        {},
        'fixed m-0 grid max-h-[min(44rem,calc(100dvh-4rem))] w-[min(52rem,calc(100vw-1rem))] grid-cols-[2fr_3fr] grid-rows-[minmax(0,1fr)] overflow-hidden p-0 text-text outline-none narrow:top-auto! narrow:bottom-0 narrow:left-0! narrow:flex narrow:max-h-[85dvh] narrow:w-full narrow:max-w-none narrow:flex-col narrow:overflow-y-auto narrow:rounded-b-none narrow:pb-[env(safe-area-inset-bottom)] narrow:backdrop:bg-scrim short:overflow-y-auto',
      )}
    >
      <section className="flex min-h-0 min-w-0 flex-col narrow:flex-none">
        <ModelChoices
          models={listed}
          current={settings.model}
          recent={recent}
          isHere={(model) => models?.includes(model) ?? false}
          onPick={(model) => {
            keepRecentModel(storage, model)
            pick({ model })
          }}
        />
        <Missing />
        <div className="border-t border-line p-1.5">
          <Button look="quiet" onClick={onAdd}>
            <Icon name="plus" />
            {t('picker.add')}
          </Button>
        </div>
      </section>
      <section
        className="flex min-w-0 flex-col overflow-y-auto border-s border-line pb-2 narrow:flex-none narrow:border-s-0 narrow:border-t"
        aria-labelledby={heading}
      >
        <h2 id={heading} className="px-3.5 pt-3 text-md font-strong">
          {t('picker.formats')}
        </h2>
        <p className="px-3.5 pb-2 text-sm text-pretty text-muted">
          {t(settings.tools.enabled ? 'picker.formats-why' : 'picker.formats-off')}{' '}
          {tools.length === 0 ? null : t('picker.costs', { count: tools.length })}
        </p>
        <FormatChoices
          labelledBy={heading}
          current={settings.strategy}
          best={measuredBest(storage, settings.model)}
          costs={costs}
          onPick={(strategy) => pick({ strategy })}
        />
        <p className="px-3.5 pt-2 text-sm">
          <PageLink className="text-muted underline underline-offset-2" href="/lab">
            {t('picker.measure')}
          </PageLink>
        </p>
      </section>
    </Popover>
  )
}

/** The chat's own model is in its list, wherever it is. */
function withCurrent(models: readonly ModelInfo[], id: string): readonly ModelInfo[] {
  if (id === '' || models.some((model) => model.id === id)) return models
  const label = nameOfModel(id)
  return [{ id, label, providerLabel: t('picker.missing'), contextTokens: null, simulated: false }, ...models]
}

/** Which sources gave no list, and what is left of today. */
function Missing() {
  const problems = problemsOfModels(useChat((state) => state.models))
  const left = useChat((state) => state.use?.lines ?? none)
  const { reloadModels } = useChatActions()
  const [asking, setAsking] = useState(false)
  const again = async () => {
    setAsking(true)
    await reloadModels()
    setAsking(false)
  }
  return (
    <>
      {problems.length === 0 ? null : (
        <div className="max-h-40 flex-none overflow-y-auto border-t border-line px-1.5 pb-2 text-sm">
          <h3 className={groupHead()}>{t('picker.missing')}</h3>
          <ul className="grid gap-1 px-2 wrap-anywhere">
            {problems.map((problem) => (
              <li key={problem} className="text-pretty text-warn">
                <SaidText text={problem} />
              </li>
            ))}
          </ul>
          <Button look="quiet" disabled={asking} onClick={() => void again()}>
            {t(asking ? 'picker.asking' : 'picker.again')}
          </Button>
        </div>
      )}
      {left.length === 0 ? null : (
        <div className="border-t border-line px-1.5 pb-2 text-sm text-muted">
          <h3 className={groupHead()}>{t('picker.todays-tokens')}</h3>
          {left.map((line) => (
            <p key={line} className="px-2">
              <SaidText text={line} />
            </p>
          ))}
        </div>
      )}
    </>
  )
}
