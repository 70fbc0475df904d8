'use client'

import { useId, useMemo, useState, useRef, type KeyboardEvent } from 'react'
import { useChat, useChatActions, useConversation } from '@/components/context/chat-context'
import { useOfferedTools } from '@/components/context/tools-context'
import { Button } from '@/components/ui/controls/button'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { Icon } from '@/components/ui/controls/icon'
import { PageLink } from '@/components/ui/page/page-head'
import { Popover } from '@/components/ui/popups/popover'
import { floating } from '@/components/ui/recipes/surface'
import type { PopoverPosition } from '@/components/ui/controls/use-popover-button'
import { storeRecentModel, recentModels } from '@/lib/client/browser/remembered-models'
import type { ConversationSettings } from '@/lib/shared/conversation/conversation'
import { problemsOfModels } from '@/lib/shared/conversation/wire/model-problems'
import { nameOfModel } from '@/lib/shared/conversation/wire/tab-run'
import { measuredBest, type MeasuredBest } from '@/lib/client/lab/measured-best'
import type { ModelInfo } from '@/lib/shared/models/model'
import { strategyIds, type StrategyId } from '@/lib/protocols/types/tool-context-def'
import { labStorage } from '@/lib/client/wiring/models/lab-storage.browser'
import { t } from '@/lib/i18n/t'
import { ModelChoices, positionAfter, groupHead, choiceLine, choiceMark } from './model-choices'
import { ForeignCode } from '@/components/ui/code/foreign-code'
import { badge, codeBox } from '@/components/ui/recipes/recipe'
import { TYPEAHEAD_MS, typeAhead } from '@/lib/base/text/type-ahead'
import { toolContextBuilder, promptCost, sampleCall } from '@/lib/protocols/tool-context-builder'

interface FormatChoicesProps {
  readonly labelledBy: string
  readonly current: StrategyId
  /** The format that was measured to be best for the chosen model. */
  readonly best: MeasuredBest | null
  /** About how many tokens each format adds to a request; empty if tools are off. */
  readonly costs: ReadonlyMap<StrategyId, number>
  readonly onPick: (id: StrategyId) => void
}

/**
 * The call formats, with an example call of the highlighted one. Keys: arrows, Home, End and first letters; Enter
 * chooses.
 */
function FormatChoices({ labelledBy, current, best, costs, onPick }: FormatChoicesProps) {
  const id = useId()
  const formats = toolContextBuilder.strategies
  const [pointed, setPointed] = useState<StrategyId>(current)
  const typed = useRef({ text: '', at: 0 })
  const at = formats.findIndex((format) => format.id === pointed)

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      return onPick(pointed)
    }
    const isLetter = event.key.length === 1 && !(event.altKey || event.ctrlKey || event.metaKey)
    let next = { Home: 0, End: formats.length - 1 }[event.key] ?? positionAfter(event.key, at, formats.length)
    if (isLetter) {
      const going = event.timeStamp - typed.current.at < TYPEAHEAD_MS
      typed.current = { text: going ? typed.current.text + event.key : event.key, at: event.timeStamp }
      next = typeAhead(
        formats.map((format) => format.id),
        at,
        typed.current.text,
      )
    }
    const format = next === null ? undefined : formats[next]
    if (!format) return
    event.preventDefault()
    setPointed(format.id)
  }
  const sample = sampleCall(pointed)
  return (
    <>
      <div
        role="listbox"
        tabIndex={0}
        aria-labelledby={labelledBy}
        aria-activedescendant={`${id}-${pointed}`}
        className="px-1.5 focus-visible:-outline-offset-2"
        onKeyDown={onKeyDown}
      >
        {formats.map((format) => (
          <button
            type="button"
            tabIndex={-1}
            key={format.id}
            id={`${id}-${format.id}`}
            role="option"
            aria-selected={format.id === current}
            aria-describedby={`${id}-sample`}
            className={choiceLine()}
            {...(format.id === pointed ? { 'data-pointed': '' } : {})}
            onPointerMove={() => setPointed(format.id)}
            onClick={() => onPick(format.id)}
          >
            {format.id === current ? <Icon name="ok" className={choiceMark()} /> : <span className={choiceMark()} />}
            <span className="min-w-0 flex-1">
              <span className="font-medium">{format.id}</span>{' '}
              {format.id === best?.strategy ? (
                <span className={badge()}>
                  <SentenceText text={t('picker.best', { by: best.by })} />
                </span>
              ) : null}
              <span className="block text-sm text-muted">{format.summary}</span>
            </span>
            <Cost tokens={costs.get(format.id)} />
          </button>
        ))}
      </div>
      <figure className="mx-3 mt-2 flex-none overflow-hidden rounded-md border border-line">
        <figcaption className="border-b border-line px-3 py-1 text-xs text-muted">
          {t('picker.sample', { strategy: pointed })}
        </figcaption>
        <div id={`${id}-sample`} className="h-26 overflow-auto bg-code">
          {sample === null ? (
            <p className="px-3 py-2 text-sm text-code-muted">{t('picker.no-sample')}</p>
          ) : (
            <pre className={codeBox({}, 'px-3 py-2 whitespace-pre-wrap wrap-anywhere')}>
              {sample.split('\n').map((line, index) => (
                <span key={index} className="block">
                  <ForeignCode text={line} />
                </span>
              ))}
            </pre>
          )}
        </div>
      </figure>
    </>
  )
}

const Cost = ({ tokens }: { readonly tokens: number | undefined }) =>
  tokens === undefined ? null : (
    <span className="flex-none text-end text-sm whitespace-nowrap text-muted tabular-nums">
      {t('picker.cost', { tokens })}
    </span>
  )

export interface ModelPickerProps {
  readonly at: PopoverPosition
  readonly onClose: () => void
  readonly onAdd: () => void
}

const none: readonly string[] = []

/** The model and the call format of the open chat: side by side, or stacked on a phone. */
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
    // If it can't be stored, the controller restores the old value and shows an error above the composer.
    void updateSettings({ ...settings, ...patch })
  }
  return (
    <Popover
      at={at}
      onClose={onClose}
      role="dialog"
      aria-label={t('frame.picker')}
      tabIndex={-1}
      // Tabbing out of the picker closes it.
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
            storeRecentModel(storage, model)
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

/** Adds the chat's own model to the list if it is missing. */
function withCurrent(models: readonly ModelInfo[], id: string): readonly ModelInfo[] {
  if (id === '' || models.some((model) => model.id === id)) return models
  const label = nameOfModel(id)
  return [{ id, label, providerLabel: t('picker.missing'), contextTokens: null, simulated: false }, ...models]
}

/** Which sources returned no list, and the rest of today's tokens. */
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
                <SentenceText text={problem} />
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
              <SentenceText text={line} />
            </p>
          ))}
        </div>
      )}
    </>
  )
}
