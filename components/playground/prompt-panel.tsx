'use client'

import { useMemo, useEffect, useReducer, useRef } from 'react'
import { CopyButton } from '@/components/ui/controls/copy-button'
import { note } from '@/components/ui/recipes/surface'
import { cx } from '@/components/ui/recipes/recipe'
import { estimateTokens } from '@/lib/protocols/prompt/token-estimate'
import { toolContextBuilder, promptCost } from '@/lib/protocols/tool-context-builder'
import { t, makeRefusal } from '@/lib/i18n/t'
import {
  bench,
  BenchEmpty,
  benchList,
  benchPart,
  BenchTitle,
  rawText,
  firstReading,
  reduceReading,
  type ReadingState,
} from './reading-state'
import type { InspectorState } from './inspector'
import { useBuiltInTools } from '@/components/context/tools-context'
import { isSharedReading, packReading, unpackReading, chosenTools, type ToolChoice } from './share-link'

export interface PlaygroundState extends ReadingState, InspectorState {
  readonly setStrategy: (id: string) => void
  readonly setChoice: (choice: ToolChoice) => void
  readonly share: () => void
}

/** The inspected reply and its reading; `fragment` may contain one. */
export function useInspector(fragment: string): PlaygroundState {
  const [state, on] = useReducer(reduceReading, firstReading)
  const { strategy, choice, text } = state
  const found = useBuiltInTools()
  const tools = useMemo(() => chosenTools(found, choice), [found, choice])
  /** The link that is already shown, created here or loaded. */
  const known = useRef('')
  useEffect(() => {
    if (!isSharedReading(fragment) || fragment === known.current) return
    let wanted = true
    void (async () => {
      const shared = await unpackReading(fragment)
      if (!wanted) return
      known.current = fragment
      if (shared.ok) on({ type: 'link-opened', shared: shared.value })
      else on({ type: 'noted', note: { tone: 'trouble', refusal: shared.error } })
    })()
    return () => {
      wanted = false
    }
  }, [fragment])

  const share = async () => {
    const packed = await packReading({ strategy, text, choice })
    if (!packed.ok) {
      on({ type: 'noted', note: { tone: 'trouble', refusal: packed.error } })
      return
    }
    known.current = packed.value
    history.pushState(null, '', `#${packed.value}`)
    const copied = await copy(location.href)
    const refusal = makeRefusal(copied ? 'inspector.link-copied' : 'inspector.link-shown')
    on({ type: 'noted', note: { tone: 'said', refusal } })
  }

  return {
    ...state,
    tools,
    setStrategy: (id) => {
      if (toolContextBuilder.isStrategyId(id)) on({ type: 'strategy-chosen', strategy: id })
    },
    setChoice: (next) => on({ type: 'tools-chosen', choice: next }),
    type: (next) => on({ type: 'text-typed', text: next }),
    replace: (next, id) => on({ type: 'text-replaced', text: next, strategy: id }),
    bringBack: () => on({ type: 'text-brought-back' }),
    share: () => void share(),
  }
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** What a strategy sends to the model about the chosen tools: by part and whole, with the cost of each. */
export function PromptPanel({ state }: { state: PlaygroundState }) {
  const { strategy, tools } = state
  const { parts, whole, costs } = useMemo(() => {
    return {
      parts: toolContextBuilder.promptParts(strategy, tools),
      whole: toolContextBuilder.spliceSystemPrompt('', { strategy, tools, enabled: true }),
      costs: toolContextBuilder.strategies.map(({ id, summary }) => ({
        id,
        summary,
        tokens: promptCost(id, tools),
      })),
    }
  }, [strategy, tools])
  const offered = tools.filter((tool) => tool.disabled !== true).length
  const tokens = promptCost(strategy, tools)
  return (
    <div className={bench()} id="prompt">
      <section className={benchPart()} aria-label={t('play.model-told')}>
        <BenchTitle>
          {t('play.prompt')}
          <span className="text-muted tabular-nums">{t('play.prompt-facts', { strategy, offered, tokens })}</span>
          <span className="ms-auto" />
          {whole === '' ? null : <CopyButton label={t('play.prompt-copy')} text={() => whole} />}
        </BenchTitle>
        {parts.length === 0 ? (
          <BenchEmpty>{offered === 0 ? t('play.prompt-no-tool') : t('play.prompt-otherwise', { strategy })}</BenchEmpty>
        ) : null}
        {parts.map((part) => (
          <div key={part.kind} className="mb-4">
            <h3 className="mb-1 flex items-baseline gap-2 font-medium">
              {t(`play.part.${part.kind}`)}
              <span className="text-sm font-normal text-muted tabular-nums">
                {t('play.about-tokens', { tokens: estimateTokens(part.text) })}
              </span>
              <span className="ms-auto" />
              <CopyButton text={() => part.text} />
            </h3>
            <pre
              className={cx(rawText, 'max-h-96 overflow-auto rounded-lg border border-line')}
              tabIndex={0}
              role="region"
              aria-label={t('play.prompt-part', { title: t(`play.part.${part.kind}`) })}
            >
              {part.text}
            </pre>
          </div>
        ))}
      </section>
      <section className={benchPart({ second: true })} aria-label={t('play.costs')}>
        <BenchTitle>
          {t('play.costs')} <span className="text-muted">{t('play.costs-of')}</span>
        </BenchTitle>
        <ul className={benchList}>
          {costs.map(({ id, summary, tokens: cost }) => (
            <li key={id}>
              <button
                type="button"
                className="group/cost grid w-full grid-cols-[minmax(0,1fr)_auto] px-3.5 py-2.25 text-start hover:bg-surface focus-visible:-outline-offset-3 aria-pressed:bg-surface"
                aria-pressed={id === strategy}
                onClick={() => state.setStrategy(id)}
              >
                <b className="font-medium group-aria-pressed/cost:font-strong">{id}</b>
                <span className="tabular-nums">{t('play.tokens', { tokens: cost })}</span>
                <small className="col-span-full text-sm text-muted">{summary}</small>
              </button>
            </li>
          ))}
        </ul>
        <p className={note({}, 'mt-2')}>{t('play.estimated')}</p>
      </section>
    </div>
  )
}
