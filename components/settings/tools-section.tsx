'use client'

import { useId } from 'react'
import { Switch } from '@/components/ui/switch'
import type { ConversationSettings } from '@/lib/chat/conversation'
import { permissionWords } from '@/lib/tool-calls/permission-words'
import { toolRegistry } from '@/lib/tools/registry'
import type { ToolDefinition } from '@/lib/tools/tool'
import { offeredTools } from './told'
import type { SectionProps } from './strategy-section'

export function ToolsSection({ settings, save }: SectionProps) {
  const heading = useId()
  const tools = toolRegistry.list().filter((tool) => tool.agentCallable)
  const offered = new Set(offeredTools(settings).map((tool) => tool.name))
  const { enabled } = settings.tools
  return (
    <section className="group" aria-labelledby={heading}>
      <div className="gh">
        <h3 id={heading}>Tools</h3>
        <span className="end">{enabled ? `${offered.size} of ${tools.length} offered` : 'switched off'}</span>
        <Switch
          label="Use tools"
          checked={enabled}
          onChange={(on) => void save((now) => ({ ...now, tools: { ...now.tools, enabled: on } }))}
        />
      </div>
      <p>
        {enabled
          ? 'What the model is told it may ask for.'
          : 'The model is told of no tools, and its replies are not read for calls.'}
      </p>
      <div className="opts-list">
        {tools.map((tool) => (
          <ToolRow
            key={tool.name}
            tool={tool}
            offered={isOffered(settings, tool.name)}
            disabled={!enabled}
            onOffer={(on) =>
              void save((now) => ({
                ...now,
                tools: { ...now.tools, toolToggles: { ...now.tools.toolToggles, [tool.name]: on } },
              }))
            }
          />
        ))}
      </div>
    </section>
  )
}

interface ToolRowProps {
  readonly tool: ToolDefinition
  readonly offered: boolean
  readonly disabled: boolean
  readonly onOffer: (on: boolean) => void
}

function ToolRow({ tool, offered, disabled, onOffer }: ToolRowProps) {
  return (
    <div className={`toolrow${offered && !disabled ? '' : ' off'}`}>
      <div>
        <span className="tool">{tool.name}</span>
        <span className="tag">{permissionWords[tool.permission]}</span>
        <small>{firstSentence(tool.description)}</small>
      </div>
      <span className="static hide-s">always asks</span>
      <Switch label={`Offer ${tool.name}`} checked={offered} disabled={disabled} onChange={onOffer} />
    </div>
  )
}

/** The switch keeps its place while all tools are off, so that it says what comes back. */
function isOffered({ tools }: ConversationSettings, name: string): boolean {
  return Object.hasOwn(tools.toolToggles, name) ? tools.toolToggles[name] === true : tools.defaultToolEnabled
}

const firstSentence = (text: string): string => /^.*?[.:](?=\s|$)/.exec(text)?.[0].replace(/:$/, '.') ?? text
