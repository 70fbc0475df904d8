'use client'

import { useEffect, useState } from 'react'
import { whenSomebodyIsHere } from '@/components/context/somebody-here'
import { PageHead } from '@/components/ui/page-head'
import { Select } from '@/components/ui/select'
import { useLanguage } from '@/components/ui/use-language'
import { toolContextBuilder } from '@/lib/strategies/tool-context-builder'
import type { ToolRuntime } from '@/lib/tools/tool-runtime'
import { toolRuntimes } from '@/lib/wiring/tool-runtimes.browser'
import { t } from '@/lib/i18n/t'
import { Inspector } from './inspector'
import { OfferMenu } from './offer-menu'
import { PromptPanel } from './prompt-panel'
import { RunPanel } from './run-panel'
import type { TakenCall } from './taken-call'
import { ToolsPanel } from './tools-panel'
import { panelOf, panels, useFragment } from './use-address'
import { PLAYGROUND } from './use-hand-run'
import { useInspector } from './use-inspector'

const loadRuntime = (conversationId: string) => toolRuntimes.get(conversationId)

export interface PlaygroundProps {
  readonly runtimeOf?: (conversationId: string) => Promise<ToolRuntime>
}

/**
 * Four panels under each other, each at an address of its own: how a reply is read, a tool run by hand, what a model is
 * told, and the tools. One choice of strategy and tools counts for all.
 */
export function Playground({ runtimeOf = loadRuntime }: PlaygroundProps) {
  useLanguage()
  const fragment = useFragment()
  const state = useInspector(fragment)
  const here = panelOf(fragment)
  const [taken, setTaken] = useState<TakenCall | null>(null)
  const take = (call: TakenCall) => {
    // An object of its own: the same call taken again counts anew.
    setTaken({ ...call })
    document.getElementById('run')?.scrollIntoView()
  }

  // The browser finds `#run` by itself, but not `#run:read_file` or `#read=…`.
  useEffect(() => {
    if (fragment !== '' && fragment !== here) document.getElementById(here)?.scrollIntoView()
  }, [fragment, here])

  // Whoever works with copied replies may have no network when the first call is run.
  useEffect(
    () =>
      whenSomebodyIsHere(() => {
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
