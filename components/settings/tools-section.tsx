'use client'

import { SentenceText } from '@/components/ui/text/foreign-text'
import { Select, type SelectOption } from '@/components/ui/forms/select'
import { Switch } from '@/components/ui/forms/switch'
import type {
  ApprovalRule,
  ToolCallConfig,
  ToolRules,
  ConversationSettings,
} from '@/lib/shared/conversation/conversation'
import { executionRule } from '@/lib/shared/calls/approval-policy'
import { t } from '@/lib/i18n/t'
import type { ToolDefinition } from '@/lib/shared/tools/tool'
import { cx, badge } from '@/components/ui/recipes/recipe'
import { atEnd, settingRow, headEnd, settingsNote, section, sectionHead } from './settings-styles'
import { hint, rows, field } from '@/components/ui/recipes/field'
import { useId, useState, type ReactNode } from 'react'
import { useOfferableTools, useTools } from '@/components/context/tools-context'
import { isSwitchedOn, groupByTag } from '@/lib/shared/tools/discovery'
import { offeredTools } from './prompt-preview'
import type { SectionProps } from './prompt-section'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { Icon } from '@/components/ui/controls/icon'
import { tagTitle, toolAbout, toolLabel } from '@/lib/i18n/labels'

const ruleNames = ['always', 'on-error', 'never'] as const satisfies readonly ApprovalRule[]
const runOptions = (): readonly SelectOption[] =>
  ruleNames.map((value) => ({ value, label: t(`chat-settings.asks.${value}`) }))
/** A tool without its own rule uses the chat's. */
const resultOptions = ({ resultGate: resultApproval }: ToolCallConfig): readonly SelectOption[] =>
  ruleNames.toReversed().map((value) => ({
    value,
    label:
      value === 'never'
        ? t('chat-settings.result.never', { gate: resultApproval })
        : t(`chat-settings.result.${value}`),
  }))

/** The most characters of a description that are shown. */
const MAX_SAID = 300

interface ToolRowProps {
  readonly tool: ToolDefinition
  readonly config: ToolCallConfig
  readonly offered: boolean
  /** Nothing in this page can run it, so the model is not offered it. */
  readonly isMissing: boolean
  readonly onOffer: (on: boolean) => void
  readonly onRule: (rule: ToolRules) => void
}

export function ToolRow({ tool, config, offered, isMissing, onOffer, onRule }: ToolRowProps) {
  const on = offered && config.enabled
  return (
    <div className={settingRow()} data-row="">
      <div>
        <Icon name={tool.card.icon} className="me-2 inline-block align-[-2px] text-muted" />
        <span className={cx('me-2 whitespace-nowrap', on ? 'font-strong' : 'font-medium text-muted')}>
          {toolLabel(tool.spec.name)}
        </span>
        <span
          className={cx(
            'font-mono whitespace-nowrap',
            toolLabel(tool.spec.name) === null ? 'text-mono' : 'text-xs text-muted',
          )}
        >
          {tool.spec.name}
        </span>
        {tool.card.tags.slice(1).map((tag) => (
          <span className={badge({ edge: 'none' }, 'ms-2')} key={tag}>
            {tag}
          </span>
        ))}
        <small className={hint()}>
          <SentenceText text={toolAbout(tool.spec.name) ?? firstSentence(tool.spec.description)} />{' '}
          {tool.policy.offByDefault?.()}
          {isMissing ? ` ${t('chat-settings.not-connected')}` : null}
        </small>
      </div>
      <Switch
        label={t('chat-settings.offer', { tool: tool.spec.name })}
        className={atEnd()}
        checked={offered}
        disabled={!config.enabled}
        onChange={onOffer}
      />
      {on ? <Rules tool={tool} config={config} onRule={onRule} /> : null}
    </div>
  )
}

/** Only safe tools may run automatically; otherwise text says what the mode or the level requires. */
function Rules({ tool, config, onRule }: Pick<ToolRowProps, 'tool' | 'config' | 'onRule'>) {
  const own = Object.hasOwn(config.toolRules, tool.spec.name) ? config.toolRules[tool.spec.name] : undefined
  const rule = executionRule(tool, config)
  // A rule that was stored for a tool of another level still applies, so it is shown.
  const mayChoose =
    (config.mode === 'auto' || tool.policy.findsTools === true) &&
    !config.requireConfirmation &&
    (tool.policy.permission === 'public' || rule !== 'always')
  return (
    <div className="col-span-full mt-1 flex flex-wrap items-center gap-x-3 text-sm/[inherit]">
      {mayChoose ? (
        <Select
          small
          className="-ms-1.5"
          label={t('chat-settings.when-asks', { tool: tool.spec.name })}
          value={rule}
          options={runOptions()}
          onChange={(value) => onRule({ execution: ruleOf(value) })}
        />
      ) : (
        <span className="pe-2.5 whitespace-nowrap text-muted">
          {config.requireConfirmation ? t('chat-settings.asks.always') : whenWords(tool)}
        </span>
      )}
      <Select
        small
        className="-ms-1.5"
        label={t('chat-settings.when-shown', { tool: tool.spec.name })}
        value={own?.result ?? tool.policy.requireResultApproval ?? 'never'}
        options={resultOptions(config)}
        onChange={(value) => onRule({ result: ruleOf(value) })}
      />
    </div>
  )
}

const whenWords = ({ policy: { permission } }: ToolDefinition): string =>
  permission === 'sensitive'
    ? t('chat-settings.always-asks')
    : permission === 'moderate'
      ? t('chat-settings.remembers')
      : t('chat-settings.asks.always')

const ruleOf = (value: string): ApprovalRule => (value === 'never' || value === 'on-error' ? value : 'always')

/** The first sentence of a foreign description; its start if it has none. */
const firstSentence = (text: string): string =>
  /^.*?[.:](?=\s|$)/.exec(text.slice(0, MAX_SAID))?.[0].replace(/:$/, '.') ??
  (text.length > MAX_SAID ? `${text.slice(0, MAX_SAID).toWellFormed()}…` : text)

/** Which tools the model is offered, and when each asks. */
export function ToolsSection({ settings, save }: SectionProps) {
  const heading = useId()
  const [filter, setFilter] = useState('')
  const all = useTools()
  const offerable = useOfferableTools()
  const tools = all.list().filter((tool) => tool.policy.agentCallable)
  const shown = tools.filter((tool) => matches(tool, filter))
  const offered = new Set(offeredTools(settings, offerable).map((tool) => tool.name))
  const { enabled, defaultToolEnabled } = settings.tools
  const changeTools = (change: (now: ConversationSettings['tools']) => Partial<ConversationSettings['tools']>) =>
    void save((now) => ({ ...now, tools: { ...now.tools, ...change(now.tools) } }))
  const offer = (some: readonly ToolDefinition[], on: boolean) =>
    changeTools(({ toolToggles }) => ({
      toolToggles: { ...toolToggles, ...Object.fromEntries(some.map(({ spec }) => [spec.name, on])) },
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
                key={tool.spec.name}
                tool={tool}
                config={settings.tools}
                offered={isSwitchedOn(tool, settings.tools)}
                isMissing={offerable.get(tool.spec.name) === undefined}
                onOffer={(on) => offer([tool], on)}
                onRule={(rule) =>
                  changeTools(({ toolRules }) => ({
                    toolRules: { ...toolRules, [tool.spec.name]: withRule(toolRules, tool, rule) },
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

/** Keeps the current tools' switches when the default for new ones changes. */
const pinned = (config: ConversationSettings['tools'], tools: readonly ToolDefinition[]) => ({
  ...config.toolToggles,
  ...Object.fromEntries(tools.map((tool) => [tool.spec.name, isSwitchedOn(tool, config)])),
})

const withRule = (
  rules: ConversationSettings['tools']['toolRules'],
  { spec: { name } }: ToolDefinition,
  rule: ToolRules,
) => ({
  ...(Object.hasOwn(rules, name) ? rules[name] : undefined),
  ...rule,
})

function matches(tool: ToolDefinition, filter: string): boolean {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  const text = [
    tool.spec.name,
    toolLabel(tool.spec.name) ?? '',
    t(`permission.${tool.policy.permission}`),
    ...tool.card.tags,
  ]
    .join(' ')
    .toLowerCase()
  return words.every((word) => text.includes(word))
}

interface ToolGroupProps {
  readonly tag: string | null
  /** How many of the shown tools are offered, and how many are shown. */
  readonly offered: number
  readonly shown: number
  readonly disabled: boolean
  /** Offers all shown tools, or none. */
  readonly onOffer: (on: boolean) => void
  readonly children: ReactNode
}

/** A group of tools under a heading. Its state is computed: all, some or none. */
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
          // A switch has no third state; a checkbox does.
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
