'use client'

import { useEffect, useState, useSyncExternalStore } from 'react'
import { onFirstInteraction } from '@/components/context/first-interaction'
import { PageHead } from '@/components/ui/page/page-head'
import { Select } from '@/components/ui/forms/select'
import { useLanguage } from '@/components/ui/page/use-language'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { toolRuntimes } from '@/lib/client/wiring/tool-runtimes.browser'
import { t } from '@/lib/i18n/t'
import { Inspector } from './inspector'
import { PromptPanel, useInspector, type PlaygroundState } from './prompt-panel'
import { RunPanel } from './run-panel'
import { type TakenCall, bench, benchList, benchPart, BenchTitle } from './reading-state'
import { PLAYGROUND } from './use-manual-run'
import { useBuiltInTools } from '@/components/context/tools-context'
import { offerStateOf, type ToolChoice, whyOffered, type ToolAvailability } from './share-link'
import { SentenceParts } from '@/components/tool-call/sentence'
import { badge } from '@/components/ui/recipes/recipe'
import { note } from '@/components/ui/recipes/surface'
import { withParts } from '@/lib/base/untrusted-text/sentence-part'
import { signatureOf } from '@/lib/protocols/prompt/signature'
import { tagTitle } from '@/lib/i18n/labels'
import { groupByTag } from '@/lib/shared/tools/discovery'
import type { ToolDefinition, ToolRuntime } from '@/lib/shared/tools/tool'

const availabilities: readonly ToolAvailability[] = ['offered', 'off', 'unknown']

/** Every tool found, and why the model is, or is not, offered it under the current choice. */
function ToolsPanel({ state }: { state: PlaygroundState }) {
  const tools = useBuiltInTools().list()
  const offered = tools.filter(
    (tool) => tool.policy.agentCallable && offerStateOf(state.choice, tool) === 'offered',
  ).length
  return (
    <div className={bench({ columns: 'one' })} id="tools">
      <section className={benchPart()} aria-label={t('play.found')}>
        <BenchTitle>
          {t('play.tools')}{' '}
          <span className="text-muted">{t('play.found-count', { found: tools.length, offered })}</span>
        </BenchTitle>
        {groupByTag(tools).map((group) => (
          <div key={group.tag} role="group" aria-label={t('play.group', { title: tagTitle(group.tag) })}>
            <h3 className="mt-3 mb-1 text-sm text-muted">{tagTitle(group.tag)}</h3>
            <ul className={benchList}>
              {group.tools.map((tool) => (
                <FoundTool key={tool.spec.name} tool={tool} state={state} />
              ))}
            </ul>
          </div>
        ))}
        <p className={note({}, 'mt-2')}>{t('play.here-only')}</p>
      </section>
    </div>
  )
}

function FoundTool({ tool, state }: { tool: ToolDefinition; state: PlaygroundState }) {
  const { word, why } = whyOffered(tool, state.choice)
  const { vcpCommand } = tool.spec
  return (
    <li className="px-3.5 py-2.75">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <a className="font-mono text-mono font-strong whitespace-nowrap" href={`#run:${tool.spec.name}`}>
          {tool.spec.name}
        </a>
        <span className={badge()}>{t(`permission.${tool.policy.permission}`)}</span>
        {tool.card.tags.slice(1).map((tag) => (
          <span key={tag} className={badge()}>
            {tag}
          </span>
        ))}
        {vcpCommand === undefined ? null : (
          <span className="text-sm text-muted">
            <SentenceParts parts={withParts((put) => t('play.in-vcp', { name: put({ code: vcpCommand }) }))} />
          </span>
        )}
        <Select
          className="ms-auto"
          boxed
          label={t('play.counts-as', { name: tool.spec.name })}
          value={offerStateOf(state.choice, tool)}
          disabled={!tool.policy.agentCallable}
          options={availabilities.map((one) => ({ value: one, label: t(`play.counts.${one}`) }))}
          onChange={(value) => {
            const next = availabilities.find((one) => one === value) ?? 'offered'
            state.setChoice({ ...state.choice, [tool.spec.name]: next })
          }}
        />
      </div>
      <code className="block text-mono wrap-anywhere">{signatureOf(tool.spec)}</code>
      <p className="text-sm text-muted">
        <b className="font-medium text-text">{word}</b>. {why}
      </p>
    </li>
  )
}

interface OfferMenuProps {
  readonly choice: ToolChoice
  readonly onChoose: (choice: ToolChoice) => void
}

/** How many tools are offered, and the common choices; single tools are chosen in the Tools panel. */
function OfferMenu({ choice, onChoose }: OfferMenuProps) {
  const tools = useBuiltInTools()
    .list()
    .filter((tool) => tool.policy.agentCallable)
  const countIn = (of: ToolChoice) => tools.filter((tool) => offerStateOf(of, tool) === 'offered').length
  const only = (isOffered: (tool: (typeof tools)[number]) => boolean): ToolChoice =>
    Object.fromEntries(tools.filter((tool) => !isOffered(tool)).map((tool) => [tool.spec.name, 'off']))
  const presets = [
    { label: words(countIn({})), choice: {} },
    {
      label: t('play.offer-reading'),
      choice: only((tool) => tool.policy.capabilities.files === 'read'),
    },
    { label: t('play.offer-none'), choice: only(() => false) },
  ]
  const same = (other: ToolChoice) => tools.every((tool) => offerStateOf(choice, tool) === offerStateOf(other, tool))
  const present = presets.findIndex((preset) => same(preset.choice))
  return (
    <Select
      inBar
      label={t('play.offer')}
      value={String(present)}
      options={[
        ...presets.map(({ label }, index) => ({ value: String(index), label })),
        ...(present < 0 ? [{ value: '-1', label: words(countIn(choice)) }] : []),
      ]}
      onChange={(value) => {
        const preset = presets[Number(value)]
        if (preset) onChoose(preset.choice)
      }}
    />
  )
}

const words = (count: number): string => t('play.offered', { count })

/** The fragment that the user opened; fragments that the page itself sets don't count. */
let asked: string | null = null

const subscribe = (changed: () => void) => {
  const look = () => {
    asked = location.hash.slice(1)
    changed()
  }
  addEventListener('hashchange', look)
  addEventListener('popstate', look)
  return () => {
    asked = null
    removeEventListener('hashchange', look)
    removeEventListener('popstate', look)
  }
}

/** The fragment, without #, that the page was opened at or moved to. */
const useFragment = (): string =>
  useSyncExternalStore(
    subscribe,
    () => (asked ??= location.hash.slice(1)),
    () => '',
  )

const panels = ['read', 'run', 'prompt', 'tools'] as const

type PanelId = (typeof panels)[number]

/** The panel of a fragment; `run:read_file` and `read=…` contain more than the panel. */
const panelOf = (fragment: string): PanelId =>
  panels.find((id) => fragment === id || fragment.startsWith(`${id}:`) || fragment.startsWith(`${id}=`)) ?? 'read'

const loadRuntime = (conversationId: string) => toolRuntimes.get(conversationId)

export interface PlaygroundProps {
  readonly runtimeOf?: (conversationId: string) => Promise<ToolRuntime>
}

/**
 * Four panels below each other, each with its own fragment: how a reply is parsed, a tool run by hand, what a model
 * receives, and the tools. One choice of strategy and tools applies to all.
 */
export function Playground({ runtimeOf = loadRuntime }: PlaygroundProps) {
  useLanguage()
  const fragment = useFragment()
  const state = useInspector(fragment)
  const here = panelOf(fragment)
  const [taken, setTaken] = useState<TakenCall | null>(null)
  const take = (call: TakenCall) => {
    // A new object, so that the same call can be taken again.
    setTaken({ ...call })
    document.getElementById('run')?.scrollIntoView()
  }

  // The browser itself finds `#run`, but not `#run:read_file` or `#read=…`.
  useEffect(() => {
    if (fragment !== '' && fragment !== here) document.getElementById(here)?.scrollIntoView()
  }, [fragment, here])

  // Preloads, because someone who works with copied replies may be offline at the first run.
  useEffect(
    () =>
      onFirstInteraction(() => {
        runtimeOf(PLAYGROUND)
          .then((runtime) => runtime.prepare?.())
          .catch(() => {})
      }),
    [runtimeOf],
  )

  return (
    <main className="flex min-h-dvh min-w-0 flex-col">
      <PageHead title={t('play.title')} crowded>
        <nav
          className="me-auto flex gap-1 max-[64rem]:order-3 max-[64rem]:basis-full max-[64rem]:overflow-x-auto max-[64rem]:pb-1"
          aria-label={t('play.panels')}
        >
          {panels.map((id) => (
            <a
              key={id}
              className="rounded-md px-2.5 py-1 whitespace-nowrap text-muted hover:bg-hover aria-[current]:bg-hover aria-[current]:text-text narrow:py-2.5"
              href={`#${id}`}
              {...(id === here ? { 'aria-current': 'location' as const } : {})}
            >
              {t(`play.panel.${id}`)}
            </a>
          ))}
        </nav>
        <span className="narrow:order-1 narrow:h-0 narrow:basis-full short:hidden" />
        <span className="inline-flex min-w-0 items-center narrow:order-2 narrow:flex-[1_1_9rem]">
          <span className="-me-1.5 ps-2.5 whitespace-nowrap text-muted narrow:hidden" aria-hidden="true">
            {t('play.read-as')}
          </span>
          <Select
            inBar
            label={t('play.format')}
            value={state.strategy}
            options={toolContextBuilder.strategies.map(({ id }) => ({ value: id, label: id }))}
            onChange={state.setStrategy}
          />
        </span>
        <OfferMenu choice={state.choice} onChoose={state.setChoice} />
      </PageHead>
      <Inspector state={{ ...state, take }} />
      <RunPanel strategy={state.strategy} fragment={fragment} taken={taken} runtimeOf={runtimeOf} />
      <PromptPanel state={state} />
      <ToolsPanel state={state} />
    </main>
  )
}
