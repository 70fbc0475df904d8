'use client'

import Link from 'next/link'
import { useEffect } from 'react'
import { Icon } from '@/components/ui/icon'
import { Select } from '@/components/ui/select'
import { toolContextBuilder } from '@/lib/strategies/tool-context-builder'
import type { ToolRuntime } from '@/lib/tools/tool-runtime'
import { toolRuntimes } from '@/lib/wiring/tool-runtimes.browser'
import { Inspector } from './inspector'
import { OfferMenu } from './offer-menu'
import { PromptPanel } from './prompt-panel'
import { RunPanel } from './run-panel'
import { ToolsPanel } from './tools-panel'
import { panelOf, panels, useFragment } from './use-address'
import { useInspector } from './use-inspector'
import './playground.css'

const loadRuntime = (conversationId: string) => toolRuntimes.get(conversationId)

export interface PlaygroundProps {
  readonly runtimeOf?: (conversationId: string) => Promise<ToolRuntime>
}

/**
 * Four panels under each other, each at an address of its own: how a reply is read, a tool run by hand, what a model is
 * told, and the tools. One choice of strategy and tools counts for all.
 */
export function Playground({ runtimeOf = loadRuntime }: PlaygroundProps) {
  const fragment = useFragment()
  const state = useInspector(fragment)
  const here = panelOf(fragment)

  // The browser finds `#run` by itself, but not `#run:read_file` or `#read=…`.
  useEffect(() => {
    if (fragment !== '' && fragment !== here) document.getElementById(here)?.scrollIntoView()
  }, [fragment, here])

  return (
    <main className="main playground">
      <header className="bar">
        <Link className="icon" href="/" aria-label="Back to the chat" title="Back to the chat">
          <Icon name="left" />
        </Link>
        <h1>Playground</h1>
        <nav className="panels" aria-label="Panels">
          {panels.map(({ id, label }) => (
            <a key={id} href={`#${id}`} {...(id === here ? { 'aria-current': 'location' as const } : {})}>
              {label}
            </a>
          ))}
        </nav>
        <span className="break" />
        <span className="pick-named">
          <span className="k" aria-hidden="true">
            Read as
          </span>
          <Select
            label="Strategy"
            value={state.strategy}
            options={toolContextBuilder.strategies.map(({ id }) => ({ value: id, label: id }))}
            onChange={state.setStrategy}
          />
        </span>
        <OfferMenu choice={state.choice} onChoose={state.setChoice} />
      </header>
      <Inspector state={state} />
      <RunPanel strategy={state.strategy} fragment={fragment} runtimeOf={runtimeOf} />
      <PromptPanel state={state} />
      <ToolsPanel state={state} />
    </main>
  )
}
