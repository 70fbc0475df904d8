'use client'

import { useMemo } from 'react'
import { CopyButton } from '@/components/ui/copy-button'
import { promptCost } from '@/lib/strategies/prompt-cost'
import { estimateTokens } from '@/lib/strategies/token-estimate'
import { toolContextBuilder } from '@/lib/strategies/tool-context-builder'
import type { InspectorState } from './use-inspector'

/** What a strategy tells the model of the chosen tools: part by part, whole, and what each costs. */
export function PromptPanel({ state }: { state: InspectorState }) {
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
    <div className="bench prompts" id="prompt">
      <section aria-label="What the model is told">
        <h2>
          Prompt
          <span className="muted num">
            {strategy}, {offered} {offered === 1 ? 'tool' : 'tools'} offered, about {tokens.toLocaleString('en')} tokens
          </span>
          <span className="end" />
          {whole === '' ? null : <CopyButton label="Copy the whole" text={() => whole} />}
        </h2>
        {parts.length === 0 ? (
          <p className="reading-empty">
            Nothing is added to the system prompt:{' '}
            {offered === 0 ? 'no tool is offered' : `${strategy} tells it otherwise`}.
          </p>
        ) : null}
        {parts.map((part) => (
          <div key={part.kind} className="prompt-part">
            <h3>
              {part.title}
              <span className="muted num">about {estimateTokens(part.text).toLocaleString('en')} tokens</span>
              <span className="end" />
              <CopyButton text={() => part.text} />
            </h3>
            <pre className="code pad" tabIndex={0} role="region" aria-label={`Prompt part: ${part.title}`}>
              {part.text}
            </pre>
          </div>
        ))}
      </section>
      <section aria-label="What each strategy costs">
        <h2>
          What each strategy costs <span className="muted">for these tools, in the prompt of every turn</span>
        </h2>
        <ul className="costs">
          {costs.map(({ id, summary, tokens: cost }) => (
            <li key={id}>
              <button type="button" aria-pressed={id === strategy} onClick={() => state.setStrategy(id)}>
                <b>{id}</b>
                <span className="num">{cost.toLocaleString('en')} tokens</span>
                <small>{summary}</small>
              </button>
            </li>
          ))}
        </ul>
        <p className="note-line">
          Tokens are estimated, about four characters each; real counts differ from model to model by about a fifth.
        </p>
      </section>
    </div>
  )
}
