import { SentenceText } from '@/components/ui/foreign-text'
import { Select, type SelectOption } from '@/components/ui/select'
import { Switch } from '@/components/ui/switch'
import type { ApprovalRule, ToolCallConfig, ToolRules } from '@/lib/shared/conversation/conversation'
import { executionRule } from '@/lib/shared/calls/approval-policy'
import { toolAbout } from '@/lib/i18n/tool-abouts'
import { t } from '@/lib/i18n/t'
import type { ToolDefinition } from '@/lib/shared/tools/tool'
import { badge } from '@/components/ui/recipes/badge'
import { cx } from '@/components/ui/recipes/recipe'
import { atEnd, settingRow } from './settings-styles'
import { hint } from '@/components/ui/recipes/choice'

const rules = ['always', 'on-error', 'never'] as const satisfies readonly ApprovalRule[]
const runOptions = (): readonly SelectOption[] =>
  rules.map((value) => ({ value, label: t(`chat-settings.asks.${value}`) }))
/** A tool without a rule of its own has that of the chat. */
const resultOptions = ({ resultGate: gate }: ToolCallConfig): readonly SelectOption[] =>
  rules.toReversed().map((value) => ({
    value,
    label: value === 'never' ? t('chat-settings.result.never', { gate }) : t(`chat-settings.result.${value}`),
  }))

/** Characters of a description. */
const MAX_SAID = 300

interface ToolRowProps {
  readonly tool: ToolDefinition
  readonly config: ToolCallConfig
  readonly offered: boolean
  /** Nothing in this page can carry it out, so that the model is not told of it. */
  readonly isMissing: boolean
  readonly onOffer: (on: boolean) => void
  readonly onRule: (rule: ToolRules) => void
}

export function ToolRow({ tool, config, offered, isMissing, onOffer, onRule }: ToolRowProps) {
  const on = offered && config.enabled
  return (
    <div className={settingRow()} data-row="">
      <div>
        <span
          className={cx(
            'font-mono text-mono/[inherit] whitespace-nowrap',
            on ? 'font-strong' : 'font-medium text-muted',
          )}
        >
          {tool.name}
        </span>
        <span className={badge({}, 'ms-2')}>{t(`permission.${tool.permission}`)}</span>
        {tool.tags.slice(1).map((tag) => (
          <span className={badge({ edge: 'none' }, 'ms-2')} key={tag}>
            {tag}
          </span>
        ))}
        <small className={hint()}>
          <SentenceText text={toolAbout(tool.name) ?? firstSentence(tool.description)} /> {tool.offByDefault?.()}
          {isMissing ? ` ${t('chat-settings.not-connected')}` : null}
        </small>
      </div>
      <Switch
        label={t('chat-settings.offer', { tool: tool.name })}
        className={atEnd()}
        checked={offered}
        disabled={!config.enabled}
        onChange={onOffer}
      />
      {on ? <Rules tool={tool} config={config} onRule={onRule} /> : null}
    </div>
  )
}

/** Only harmless tools may run alone; what the mode or the level says stands there as words. */
function Rules({ tool, config, onRule }: Pick<ToolRowProps, 'tool' | 'config' | 'onRule'>) {
  const own = Object.hasOwn(config.toolRules, tool.name) ? config.toolRules[tool.name] : undefined
  const rule = executionRule(tool, config)
  // A rule that was stored for a tool of another level counts, so it must show.
  const mayChoose =
    config.mode === 'auto' && !config.requireConfirmation && (tool.permission === 'public' || rule !== 'always')
  return (
    <div className="col-span-full mt-1 flex flex-wrap items-center gap-x-3 text-sm/[inherit]">
      {mayChoose ? (
        <Select
          small
          className="-ms-1.5"
          label={t('chat-settings.when-asks', { tool: tool.name })}
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
        label={t('chat-settings.when-shown', { tool: tool.name })}
        value={own?.result ?? tool.requireResultApproval ?? 'never'}
        options={resultOptions(config)}
        onChange={(value) => onRule({ result: ruleOf(value) })}
      />
    </div>
  )
}

const whenWords = ({ permission }: ToolDefinition): string =>
  permission === 'sensitive'
    ? t('chat-settings.always-asks')
    : permission === 'moderate'
      ? t('chat-settings.remembers')
      : t('chat-settings.asks.always')

const ruleOf = (value: string): ApprovalRule => (value === 'never' || value === 'on-error' ? value : 'always')

/** Of a description that others wrote without one: its beginning. */
const firstSentence = (text: string): string =>
  /^.*?[.:](?=\s|$)/.exec(text.slice(0, MAX_SAID))?.[0].replace(/:$/, '.') ??
  (text.length > MAX_SAID ? `${text.slice(0, MAX_SAID).toWellFormed()}…` : text)
