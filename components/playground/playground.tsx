'use client'

import Link from 'next/link'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { Kbd } from '@/components/ui/kbd'
import { Select } from '@/components/ui/select'
import { toolRegistry } from '@/lib/tools/registry'
import { toolRuntimes } from '@/lib/wiring/tool-runtimes.browser'
import type { ToolRuntime } from '@/lib/tools/tool-runtime'
import { exampleArguments } from './example-arguments'
import { OutcomePane } from './outcome-pane'
import { parseArguments } from './parse-arguments'
import { ToolFacts } from './tool-facts'
import { useHandRun } from './use-hand-run'
import './playground.css'

const loadRuntime = (conversationId: string) => toolRuntimes.get(conversationId)

export interface PlaygroundProps {
  readonly runtimeOf?: (conversationId: string) => Promise<ToolRuntime>
}

/** Runs one tool by hand, on files of its own: what a model would get, without a model. */
export function Playground({ runtimeOf = loadRuntime }: PlaygroundProps) {
  const tools = toolRegistry.list()
  const [name, setName] = useState(tools[0]?.name ?? '')
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map())
  const [problem, setProblem] = useState<string | null>(null)
  const { running, outcome, run, stop } = useHandRun(runtimeOf)
  const tool = toolRegistry.get(name)
  if (!tool) return null
  const text = texts.get(name) ?? exampleArguments(tool)

  const runIt = () => {
    const args = parseArguments(text)
    setProblem(args.ok ? null : args.error)
    if (args.ok) run(name, args.value)
  }

  return (
    <main className="main playground">
      <header className="bar">
        <Link className="icon" href="/" aria-label="Back to the chat" title="Back to the chat">
          <Icon name="left" />
        </Link>
        <h1>Playground</h1>
        <span className="break" />
        <Select
          label="Tool"
          boxed
          value={name}
          options={tools.map((one) => ({ value: one.name, label: one.name }))}
          onChange={(next) => {
            setName(next)
            setProblem(null)
          }}
        />
      </header>
      <div className="bench">
        <section aria-label="Call">
          <h2>Call it by hand</h2>
          <label className="playground-label" htmlFor="arguments">
            Arguments (JSON)
          </label>
          <textarea
            id="arguments"
            className="field area code"
            spellCheck={false}
            rows={8}
            value={text}
            aria-invalid={problem !== null}
            {...(problem ? { 'aria-describedby': 'arguments-problem' } : {})}
            onChange={(event) => setTexts(new Map(texts).set(name, event.target.value))}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
              event.preventDefault()
              runIt()
            }}
          />
          {problem ? (
            <p className="trouble" id="arguments-problem" role="alert">
              {problem}
            </p>
          ) : null}
          <div className="row playground-buttons">
            <Button look="go" wide disabled={running !== null} onClick={runIt}>
              Run tool <Kbd keys="mod+enter" />
            </Button>
            <Button disabled={running === null} onClick={stop}>
              Stop
            </Button>
            <span className="muted end">files: a space of its own</span>
          </div>
        </section>
        <OutcomePane running={running} outcome={outcome} />
        <ToolFacts tool={tool} />
      </div>
    </main>
  )
}
