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
import { positionAfter } from './list-position'
import { modelGroups } from './model-groups'
import { choiceLine, choiceMark, groupHead } from './picker-styles'
import { msSince } from '@/lib/base/clocks'
import { useConversation } from '@/components/context/chat-context'
import { isConstrainedNow } from '@/components/context/constrained-now'
import { ageWords } from '@/lib/i18n/labels'
import { sayKept } from '@/lib/i18n/kept-words'
import { measuredBest } from '@/lib/client/lab/measured-best'
import { labStorage } from '@/lib/client/wiring/models/lab-storage.browser'
import { endedAt, factsOfModel, lastEnded } from './model-facts'

interface AboutModelProps {
  readonly model: ModelInfo
  /** The chat's own. */
  readonly isCurrent: boolean
  /** Among those that can be asked. */
  readonly isHere: boolean
  /** Epoch milliseconds. */
  readonly now: number
}

/** What stands below a model's name: facts, and why it does not answer. */
function AboutModel({ model, isCurrent, isHere, now }: AboutModelProps) {
  const isExact = useConversation((view) => isCurrent && isConstrainedNow(view))
  const last = useConversation(({ path }) => lastEnded(path, model.id))
  const age = last ? ageWords(msSince(endedAt(last), now)) : ''
  const answered = last?.outcome === 'finished' ? [t('picker.answered', { age })] : []
  const facts = [...factsOfModel(model, { best: measuredBest(labStorage(), model.id), isExact }), ...answered]
  const failed =
    last?.outcome === 'failed' ? t('picker.failed', { age, why: last.failure ? sayKept(last.failure) : '' }) : null
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
  /** Null: not known yet. */
  readonly models: readonly ModelInfo[] | null
  readonly current: string
  readonly recent: readonly string[]
  /** Whether it can be asked. */
  readonly isHere: (model: ModelInfo) => boolean
  readonly onPick: (id: string) => void
}

/** The models with a field that narrows them. The focus stays in the field; arrows move through the list, Enter chooses. */
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
    // A field with the focus would bring the keyboard of a phone over the list.
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
