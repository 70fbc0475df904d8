'use client'

import { Select } from '@/components/ui/select'
import { signatureOf } from '@/lib/strategies/signature'
import { permissionWords } from '@/lib/tool-calls/permission-words'
import { groupByTag, tagTitle } from '@/lib/tools/group-by-tag'
import { toolRegistry } from '@/lib/tools/registry'
import type { ToolDefinition } from '@/lib/tools/tool'
import { standingOf, whyOffered, type ToolStanding } from './tool-choice'
import type { InspectorState } from './use-inspector'

const options: readonly { value: ToolStanding; label: string }[] = [
  { value: 'offered', label: 'offered' },
  { value: 'off', label: 'known, not offered' },
  { value: 'unknown', label: 'not known' },
]

/** Every tool that was found, and why the model is, or is not, told of it under the present choice. */
export function ToolsPanel({ state }: { state: InspectorState }) {
  const tools = toolRegistry.list()
  const offered = tools.filter((tool) => tool.agentCallable && standingOf(state.choice, tool.name) === 'offered').length
  return (
    <div className="bench tools-found" id="tools">
      <section aria-label="Tools found">
        <h2>
          Tools{' '}
          <span className="muted">
            {tools.length} found, {offered} offered
          </span>
        </h2>
        {groupByTag(tools).map((group) => (
          <div key={group.tag} role="group" aria-label={`${tagTitle(group.tag)} tools`}>
            <h3 className="mt-3 mb-1 text-sm text-muted">{tagTitle(group.tag)}</h3>
            <ul className="found">
              {group.tools.map((tool) => (
                <FoundTool key={tool.name} tool={tool} state={state} />
              ))}
            </ul>
          </div>
        ))}
        <p className="note-line">
          The choice counts for this page only: for how a reply is read, and for the prompt. Conversations have their
          own.
        </p>
      </section>
    </div>
  )
}

function FoundTool({ tool, state }: { tool: ToolDefinition; state: InspectorState }) {
  const { word, why } = whyOffered(tool, state.choice)
  return (
    <li className={word === 'offered' ? '' : 'off'}>
      <div className="found-head">
        <a className="tool" href={`#run:${tool.name}`}>
          {tool.name}
        </a>
        <span className="tag">{permissionWords[tool.permission]}</span>
        {tool.tags.slice(1).map((tag) => (
          <span key={tag} className="tag">
            {tag}
          </span>
        ))}
        {tool.vcpCommand === undefined ? null : (
          <span className="muted">
            in VCP also <code>{tool.vcpCommand}</code>
          </span>
        )}
        <Select
          className="end"
          boxed
          label={`${tool.name} counts as`}
          value={standingOf(state.choice, tool.name)}
          disabled={!tool.agentCallable}
          options={options}
          onChange={(value) => {
            const next = options.find((option) => option.value === value)?.value ?? 'offered'
            state.setChoice({ ...state.choice, [tool.name]: next })
          }}
        />
      </div>
      <code className="found-signature">{signatureOf(tool)}</code>
      <p>
        <b>{word}</b>. {why}
      </p>
    </li>
  )
}
