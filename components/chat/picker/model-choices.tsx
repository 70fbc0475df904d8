'use client'

import { asUntrusted, spoken } from '@/lib/base/untrusted-text/foreign'
import { modelLabel } from '@/lib/i18n/model-label'
import { t } from '@/lib/i18n/t'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { Icon } from '@/components/ui/controls/icon'
import { field } from '@/components/ui/recipes/field'
import { useNow } from '@/components/ui/page/use-now'
import type { ModelInfo } from '@/lib/shared/models/model'
import { msSince } from '@/lib/base/clocks'
import { useConversation } from '@/components/context/chat-context'
import { isConstrainedNow } from '@/components/context/model-status'
import { formatAge } from '@/lib/i18n/labels'
import { renderStoredText } from '@/lib/i18n/stored-text'
import { measuredBest, type MeasuredBest } from '@/lib/client/lab/measured-best'
import { labStorage } from '@/lib/client/wiring/models/lab-storage.browser'
import { formatNumber } from '@/lib/base/text/locale'
import { type ChatRow, loadedMessagesOf } from '@/lib/shared/conversation/message-tree'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { envelopeStrategy } from '@/lib/protocols/envelope-reply'
import { recipe } from '@/components/ui/recipes/recipe'
import { isBrowserModel } from '@/lib/base/model-id'

interface ModelGroup {
  /** `provider`: one of the server's sources, with its name. */
  readonly of: 'recent' | 'browser' | 'provider'
  readonly name: string
  readonly models: readonly ModelInfo[]
}

interface ModelGroups {
  readonly groups: readonly ModelGroup[]
  /** The number of matches, including those left out. */
  readonly found: number
  /** The number left out. */
  readonly hidden: number
}

/** The most rows that are rendered at once. */
const maxShown = 200
/** With at most this many models, recent ones get no group of their own. */
const fewEnough = 7

/**
 * The models whose name, id or provider contains all typed words, grouped by provider in list order. If nothing is
 * typed and there are many, recently chosen models come first, and only there.
 */
export function modelGroups(models: readonly ModelInfo[], query: string, recent: readonly string[]): ModelGroups {
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  const fits = (model: ModelInfo) => {
    const text = `${modelLabel(model)} ${model.label} ${model.id} ${model.providerLabel}`.toLocaleLowerCase()
    return words.every((word) => text.includes(word))
  }
  const found = models.filter(fits)
  const lately =
    words.length > 0 || models.length <= fewEnough
      ? []
      : recent.flatMap((id) => found.find((model) => model.id === id) ?? [])
  const others = found.filter((model) => !lately.includes(model)).slice(0, maxShown)
  // This browser's models are in one group, whatever answers them. No provider is called ''.
  const byProvider = Map.groupBy(others, ({ id, providerLabel }) => (isBrowserModel(id) ? '' : providerLabel))
  return {
    groups: [
      ...(lately.length > 0 ? [{ of: 'recent', name: '', models: lately } as const] : []),
      ...[...byProvider].map(
        ([name, some]) => ({ of: name === '' ? 'browser' : 'provider', name, models: some }) as const,
      ),
    ],
    found: found.length,
    hidden: found.length - lately.length - others.length,
  }
}

/** A row for a model or call format. `data-pointed`: Enter chooses it. */
export const choiceLine = recipe(
  'flex w-full gap-2 text-start rounded-sm px-2 py-1.5 data-pointed:bg-hover pointer-coarse:min-h-touch pointer-coarse:py-2.5 forced-colors:data-pointed:outline-2 forced-colors:data-pointed:-outline-offset-2',
  {},
)

/** The space for the check mark of the chosen row. */
export const choiceMark = recipe('mt-0.75 size-4 flex-none', {})

/** The heading of a provider's rows. */
export const groupHead = recipe('px-2 pt-2 pb-1 text-xs font-medium text-muted', {})

/** Short facts about a model: context window, price, how strictly it can be constrained, the best format. */
export function factsOfModel(
  { contextTokens, price, exact }: ModelInfo,
  { best, isExact }: { readonly best: MeasuredBest | null; readonly isExact: boolean },
): readonly string[] {
  const facts: string[] = []
  if (contextTokens !== null) facts.push(t('picker.window', { tokens: contextTokens }))
  if (price) {
    const { perMillionIn, perMillionOut } = price
    facts.push(t('picker.price', { sent: formatNumber(perMillionIn), written: formatNumber(perMillionOut) }))
  }
  if (isExact || exact?.found === 'honoured') facts.push(t('picker.exact'))
  else if (exact?.takes === 'json-schema') facts.push(t('picker.schema', { strategy: envelopeStrategy }))
  else if (exact?.takes === 'grammar' && exact.found === undefined) facts.push(t('picker.grammar'))
  if (best) facts.push(t('picker.best-with', best))
  return facts
}

/** The last reply of a model in this branch that ended by itself, with or without an error; null if there is none. */
const lastEnded = (path: readonly ChatRow[], model: string): AssistantMessage | null =>
  loadedMessagesOf(path).findLast(
    (row): row is AssistantMessage =>
      row.role === 'assistant' && row.model === model && (row.outcome === 'finished' || row.outcome === 'failed'),
  ) ?? null

/** When the reply ended, epoch milliseconds; when it was requested if no time was measured. */
const endedAt = ({ createdAt, pace }: AssistantMessage): number => createdAt + (pace?.ms ?? 0)

interface AboutModelProps {
  readonly model: ModelInfo
  /** Whether it is the chat's model. */
  readonly isCurrent: boolean
  /** Whether it is available. */
  readonly isHere: boolean
  /** Epoch milliseconds. */
  readonly now: number
}

/** The line under a model's name: facts, and why it is unavailable. */
function AboutModel({ model, isCurrent, isHere, now }: AboutModelProps) {
  const isExact = useConversation((view) => isCurrent && isConstrainedNow(view))
  const last = useConversation(({ path }) => lastEnded(path, model.id))
  const age = last ? formatAge(msSince(endedAt(last), now)) : ''
  const answered = last?.outcome === 'finished' ? [t('picker.answered', { age })] : []
  const facts = [...factsOfModel(model, { best: measuredBest(labStorage(), model.id), isExact }), ...answered]
  const failed =
    last?.outcome === 'failed'
      ? t('picker.failed', { age, why: last.failure ? renderStoredText(last.failure) : '' })
      : null
  const problem = isHere ? failed : t('picker.elsewhere')
  return (
    <>
      {facts.length === 0 ? null : <span className="block text-sm text-muted tabular-nums">{facts.join(' · ')}</span>}
      {problem === null ? null : (
        <span className="block text-sm text-pretty wrap-anywhere text-warn">
          <SentenceText text={problem} />
        </span>
      )}
    </>
  )
}

export interface ModelChoicesProps {
  /** Null while unknown. */
  readonly models: readonly ModelInfo[] | null
  readonly current: string
  readonly recent: readonly string[]
  /** Whether the model is available. */
  readonly isHere: (model: ModelInfo) => boolean
  readonly onPick: (id: string) => void
}

/**
 * The models with a search field. The focus stays in the field; the arrow keys move through the list, and Enter
 * chooses.
 */
export function ModelChoices({ models, current, recent, isHere, onPick }: ModelChoicesProps) {
  const id = useId()
  const now = useNow()
  const [query, setQuery] = useState('')
  const [pointed, setPointed] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const { groups, found, hidden } = modelGroups(models ?? [], query, recent)
  const order = groups.flatMap((group) => group.models)
  const isThere = (wanted: string | null) => order.some((model) => model.id === wanted)
  const active = isThere(pointed) ? pointed : query === '' && isThere(current) ? current : (order[0]?.id ?? null)
  useEffect(() => {
    // A focused field would open a phone's keyboard over the list.
    const isTouched = window.matchMedia('(pointer: coarse)').matches
    const first = isTouched ? list.current : input.current
    first?.focus()
  }, [])
  useEffect(() => {
    if (active !== null) list.current?.querySelector('[data-pointed]')?.scrollIntoView({ block: 'nearest' })
  }, [active])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      event.preventDefault()
      if (active !== null) onPick(active)
      return
    }
    const at = order.findIndex((model) => model.id === active)
    const next = positionAfter(event.key, at, order.length)
    if (next === null) return
    event.preventDefault()
    setPointed(order[next]?.id ?? null)
  }
  const optionId = (model: string) => `${id}-${order.findIndex((one) => one.id === model)}`
  return (
    <>
      <div className="flex items-center gap-2 px-3 pt-3 pb-2 text-muted">
        <Icon name="find" />
        <input
          ref={input}
          type="text"
          role="combobox"
          className={field({}, 'text-text')}
          aria-label={t('picker.search')}
          placeholder={t('picker.search')}
          aria-expanded={order.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          {...(active === null ? {} : { 'aria-activedescendant': optionId(active) })}
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value)
            setPointed(null)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div
        id={`${id}-list`}
        ref={list}
        role="listbox"
        aria-label={t('picker.models')}
        tabIndex={-1}
        className="min-h-0 flex-1 overflow-y-auto px-1.5 pb-1.5 outline-none narrow:flex-none"
      >
        {groups.map((group) => {
          const name = group.of === 'provider' ? group.name : t(`picker.${group.of}`)
          return (
            <div
              key={`${group.of} ${name}`}
              role="group"
              aria-label={visibleText(name, group.of === 'provider' ? 'name' : 'prose')}
            >
              <div className={groupHead()} aria-hidden="true">
                {group.of === 'provider' ? <ForeignText text={name} /> : <SentenceText text={name} />}
              </div>
              {group.models.map((model) => (
                <button
                  type="button"
                  tabIndex={-1}
                  key={model.id}
                  id={optionId(model.id)}
                  role="option"
                  aria-selected={model.id === current}
                  className={choiceLine()}
                  {...(model.id === active ? { 'data-pointed': '' } : {})}
                  onPointerMove={() => setPointed(model.id)}
                  onClick={() => onPick(model.id)}
                >
                  {model.id === current ? (
                    <Icon name="ok" className={choiceMark()} />
                  ) : (
                    <span className={choiceMark()} />
                  )}
                  <span className="min-w-0 flex-1">
                    <span className="block wrap-anywhere">
                      <ForeignText text={modelLabel(model)} />
                    </span>
                    <AboutModel model={model} isCurrent={model.id === current} isHere={isHere(model)} now={now} />
                  </span>
                </button>
              ))}
            </div>
          )
        })}
        {hidden === 0 ? null : <p className="px-2 py-1.5 text-sm text-muted">{t('picker.more', { count: hidden })}</p>}
      </div>
      <p role="status" className="px-3.5 pb-2 text-sm text-muted empty:hidden">
        {models === null
          ? t('picker.looking')
          : query.trim() === ''
            ? ''
            : found === 0
              ? spoken(t('picker.none', { query: asUntrusted(query.trim()) }))
              : t('picker.found', { found, all: models.length })}
      </p>
    </>
  )
}

/**
 * The index that a key moves to in a list of `count` rows from row `at` (-1: none); null if the key is not for the
 * list.
 */
export function positionAfter(key: string, at: number, count: number): number | null {
  if (count === 0) return null
  const page = 8
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % count
    case 'ArrowUp':
      return at <= 0 ? count - 1 : at - 1
    case 'PageDown':
      return Math.min(count - 1, Math.max(0, at) + page)
    case 'PageUp':
      return Math.max(0, at - page)
    default:
      return null
  }
}
