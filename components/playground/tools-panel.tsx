'use client'

import { badge } from '@/components/ui/recipes/badge'
import { note } from '@/components/ui/recipes/note'
import { Select } from '@/components/ui/select'
import { signatureOf } from '@/lib/strategies/signature'
import { permissionWords } from '@/lib/calls/permission-words'
import { groupByTag, tagTitle } from '@/lib/tools/group-by-tag'
import { useBuiltInTools } from '@/components/context/tools-context'
import type { ToolDefinition } from '@/lib/tools/tool'
import { bench, benchList, benchPart, BenchTitle } from './bench'
import { offerStateOf, whyOffered, type ToolAvailability } from './tool-choice'
import type { PlaygroundState } from './use-inspector'

const options: readonly { value: ToolAvailability; label: string }[] = [
  { value: 'offered', label: 'offered' },
  { value: 'off', label: 'known, not offered' },
  { value: 'unknown', label: 'not known' },
]

/** Every tool that was found, and why the model is, or is not, told of it under the present choice. */
export function ToolsPanel({ state }: { state: PlaygroundState }) {
  const tools = useBuiltInTools().list()
  const offered = tools.filter((tool) => tool.agentCallable && offerStateOf(state.choice, tool) === 'offered').length
  return (
    <div className={bench({ columns: 'one' })} id="tools">
      <section className={benchPart()} aria-label="Tools found">
        <BenchTitle>
          Tools{' '}
          <span className="text-muted">
            {tools.length} found, {offered} offered
          </span>
        </BenchTitle>
        {groupByTag(tools).map((group) => (
          <div key={group.tag} role="group" aria-label={`${tagTitle(group.tag)} tools`}>
            <h3 className="mt-3 mb-1 text-sm text-muted">{tagTitle(group.tag)}</h3>
            <ul className={benchList}>
              {group.tools.map((tool) => (
                <FoundTool key={tool.name} tool={tool} state={state} />
              ))}
            </ul>
          </div>
        ))}
        <p className={note({}, 'mt-2')}>
          The choice counts for this page only: for how a reply is read, and for the prompt. Conversations have their
          own.
        </p>
      </section>
    </div>
  )
}

function FoundTool({ tool, state }: { tool: ToolDefinition; state: PlaygroundState }) {
  const { word, why } = whyOffered(tool, state.choice)
  return (
    <li className="px-3.5 py-2.75">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <a className="font-mono text-mono font-strong whitespace-nowrap" href={`#run:${tool.name}`}>
          {tool.name}
        </a>
        <span className={badge()}>{permissionWords[tool.permission]}</span>
        {tool.tags.slice(1).map((tag) => (
          <span key={tag} className={badge()}>
            {tag}
          </span>
        ))}
        {tool.vcpCommand === undefined ? null : (
          <span className="text-sm text-muted">
            in VCP also <code>{tool.vcpCommand}</code>
          </span>
        )}
        <Select
          className="ms-auto"
          boxed
          label={`${tool.name} counts as`}
          value={offerStateOf(state.choice, tool)}
          disabled={!tool.agentCallable}
          options={options}
          onChange={(value) => {
            const next = options.find((option) => option.value === value)?.value ?? 'offered'
            state.setChoice({ ...state.choice, [tool.name]: next })
          }}
        />
      </div>
      <code className="block text-mono wrap-anywhere">{signatureOf(tool)}</code>
      <p className="text-sm text-muted">
        <b className="font-medium text-text">{word}</b>. {why}
      </p>
    </li>
  )
}
