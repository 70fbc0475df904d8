'use client'

import { useId, useState, type ReactNode } from 'react'
import { useOfferableTools, useTools } from '@/components/context/tools-context'
import { SentenceText } from '@/components/ui/foreign-text'
import { Switch } from '@/components/ui/switch'
import type { ConversationSettings, ToolRules } from '@/lib/shared/conversation/conversation'
import { t } from '@/lib/i18n/t'
import { isSwitchedOn } from '@/lib/shared/tools/discovery'
import { groupByTag } from '@/lib/shared/tools/group-by-tag'
import type { ToolDefinition } from '@/lib/shared/tools/tool'
import { offeredTools } from './prompt-preview'
import type { SectionProps } from './strategy-section'
import { ToolRow } from './tool-row'
import { field } from '@/components/ui/recipes/field'
import { atEnd, headEnd, settingsNote, section, sectionHead, settingRow } from './settings-styles'
import { hint, rows } from '@/components/ui/recipes/choice'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { tagTitle } from '@/lib/i18n/tool-facts'

/** Which tools the model is told of, and for each when it asks. */
export function ToolsSection({ settings, save }: SectionProps) {
  const heading = useId()
  const [filter, setFilter] = useState('')
  const all = useTools()
  const offerable = useOfferableTools()
  const tools = all.list().filter((tool) => tool.agentCallable)
  const shown = tools.filter((tool) => matches(tool, filter))
  const offered = new Set(offeredTools(settings, offerable).map((tool) => tool.name))
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
        <h3 id={heading}>{t('chat-settings.tools')}</h3>
        <span className={headEnd()}>
          {enabled ? t('chat-settings.offered', { offered: offered.size, all: tools.length }) : t('chat-settings.off')}
        </span>
        <Switch
          className="flex-none self-center"
          label={t('chat-settings.use-tools')}
          checked={enabled}
          onChange={(on) => changeTools(() => ({ enabled: on }))}
        />
      </div>
      <p className={settingsNote()}>{enabled ? t('chat-settings.tools-on') : t('chat-settings.tools-off')}</p>
      <input
        type="search"
        className={field({}, 'mb-3 narrow:text-lg/[inherit]')}
        aria-label={t('chat-settings.filter')}
        placeholder={t('chat-settings.filter-by')}
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
                isMissing={offerable.get(tool.name) === undefined}
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
            <SentenceText text={t('chat-settings.filter-none', { words: filter.trim() })} />
          </p>
        ) : null}
        <div className={settingRow({}, 'border-t border-line')}>
          <div>
            {t('chat-settings.new-tools')}
            <small className={hint()}>{t('chat-settings.new-tools-about')}</small>
          </div>
          <Switch
            label={t('chat-settings.new-tools')}
            className={atEnd()}
            checked={defaultToolEnabled}
            disabled={!enabled}
            onChange={(on) => changeTools((now) => ({ defaultToolEnabled: on, toolToggles: pinned(now, tools) }))}
          />
        </div>
      </div>
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
  const text = [tool.name, t(`permission.${tool.permission}`), ...tool.tags].join(' ').toLowerCase()
  return words.every((word) => text.includes(word))
}

interface ToolGroupProps {
  readonly tag: string | null
  /** How many of the tools that show are offered, and how many show. */
  readonly offered: number
  readonly shown: number
  readonly disabled: boolean
  /** All that show are offered, or none. */
  readonly onOffer: (on: boolean) => void
  readonly children: ReactNode
}

/** Tools of one kind under a heading. What is on is computed of them: all, some or none. */
function ToolGroupSection({ tag, offered, shown, disabled, onOffer, children }: ToolGroupProps) {
  const heading = useId()
  const title = tagTitle(tag)
  const state = offered === 0 ? false : offered === shown ? true : 'mixed'
  return (
    <div role="group" aria-labelledby={heading} className="border-t border-line first:border-t-0">
      <div className={settingRow({}, 'bg-surface')}>
        <h4>
          <span id={heading}>
            <SentenceText text={title} />
          </span>{' '}
          <span className="text-sm font-normal text-muted">{t('chat-settings.some', { offered, all: shown })}</span>
        </h4>
        <Switch
          // A switch knows no third state; a checkbox does.
          role="checkbox"
          aria-checked={state}
          label={t('chat-settings.offer-all', { group: visibleText(title, 'name') })}
          className={atEnd({}, 'aria-[checked=mixed]:after:start-[9px]')}
          checked={state === true}
          disabled={disabled}
          onChange={onOffer}
        />
      </div>
      {children}
    </div>
  )
}
