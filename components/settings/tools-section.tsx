'use client'

import { useId, useState } from 'react'
import { useTools } from '@/components/context/tools-context'
import { Switch } from '@/components/ui/switch'
import type { ConversationSettings, ToolRules } from '@/lib/conversation/conversation'
import { permissionWords } from '@/lib/calls/permission-words'
import { isSwitchedOn } from '@/lib/tools/discovery'
import { groupByTag } from '@/lib/tools/group-by-tag'
import type { ToolDefinition } from '@/lib/tools/tool'
import { GrantsList } from './grants-list'
import { offeredTools } from './prompt-preview'
import type { SectionProps } from './strategy-section'
import { ToolGroupSection } from './tool-group'
import { ToolRow } from './tool-row'
import { field } from '@/components/ui/recipes/field'
import { atEnd, headEnd, settingsNote, section, sectionHead, settingRow } from './settings-look'
import { hint, rows } from '@/components/ui/recipes/choice'

/** Which tools the model is told of, and for each when it asks. */
export function ToolsSection({ settings, save }: SectionProps) {
  const heading = useId()
  const [filter, setFilter] = useState('')
  const all = useTools()
  const tools = all.list().filter((tool) => tool.agentCallable)
  const shown = tools.filter((tool) => matches(tool, filter))
  const offered = new Set(offeredTools(settings, all).map((tool) => tool.name))
  const { enabled, defaultToolEnabled } = settings.tools
  const changeTools = (change: (now: ConversationSettings['tools']) => Partial<ConversationSettings['tools']>) =>
    void save((now) => ({ ...now, tools: { ...now.tools, ...change(now.tools) } }))
  const offer = (some: readonly ToolDefinition[], on: boolean) =>
    changeTools(({ toolToggles }) => ({
      toolToggles: { ...toolToggles, ...Object.fromEntries(some.map(({ name }) => [name, on])) },
    }))
  return (
    <section className={section()} aria-labelledby={heading}>
      <div className={sectionHead()}>
        <h3 id={heading}>Tools</h3>
        <span className={headEnd()}>{enabled ? `${offered.size} of ${tools.length} offered` : 'switched off'}</span>
        <Switch
          className="flex-none self-center"
          label="Use tools"
          checked={enabled}
          onChange={(on) => changeTools(() => ({ enabled: on }))}
        />
      </div>
      <p className={settingsNote()}>
        {enabled
          ? 'What the model is told it may ask for. Harmless tools may be picked to run alone; a yes to a moderate one can be remembered on its card; a sensitive one asks every time.'
          : 'The model is told of no tools, and its replies are not read for calls.'}
      </p>
      <input
        type="search"
        className={field({}, 'mb-3 narrow:text-lg/[inherit]')}
        aria-label="Filter tools"
        placeholder="Filter by name, tag or level"
        value={filter}
        onChange={(event) => setFilter(event.target.value)}
      />
      <div className={rows()}>
        {groupByTag(shown).map((group) => (
          <ToolGroupSection
            key={group.tag}
            tag={group.tag}
            offered={group.tools.filter((tool) => isSwitchedOn(tool, settings.tools)).length}
            shown={group.tools.length}
            disabled={!enabled}
            onOffer={(on) => offer(group.tools, on)}
          >
            {group.tools.map((tool) => (
              <ToolRow
                key={tool.name}
                tool={tool}
                config={settings.tools}
                offered={isSwitchedOn(tool, settings.tools)}
                onOffer={(on) => offer([tool], on)}
                onRule={(rule) =>
                  changeTools(({ toolRules }) => ({
                    toolRules: { ...toolRules, [tool.name]: withRule(toolRules, tool, rule) },
                  }))
                }
              />
            ))}
          </ToolGroupSection>
        ))}
        {shown.length === 0 ? (
          <p className={settingRow()} role="status">
            No tool has “{filter.trim()}” in its name, tags or level.
          </p>
        ) : null}
        <div className={settingRow({}, 'border-t border-line')}>
          <div>
            Offer new tools
            <small className={hint()}>Tools that come later and were not switched on or off here.</small>
          </div>
          <Switch
            label="Offer new tools"
            className={atEnd()}
            checked={defaultToolEnabled}
            disabled={!enabled}
            onChange={(on) => changeTools((now) => ({ defaultToolEnabled: on, toolToggles: pinned(now, tools) }))}
          />
        </div>
      </div>
      <GrantsList />
    </section>
  )
}

/** The tools of now keep their switches when the default for new ones changes. */
const pinned = (config: ConversationSettings['tools'], tools: readonly ToolDefinition[]) => ({
  ...config.toolToggles,
  ...Object.fromEntries(tools.map((tool) => [tool.name, isSwitchedOn(tool, config)])),
})

const withRule = (rules: ConversationSettings['tools']['toolRules'], { name }: ToolDefinition, rule: ToolRules) => ({
  ...(Object.hasOwn(rules, name) ? rules[name] : undefined),
  ...rule,
})

function matches(tool: ToolDefinition, filter: string): boolean {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  const text = [tool.name, permissionWords[tool.permission], ...tool.tags].join(' ').toLowerCase()
  return words.every((word) => text.includes(word))
}
