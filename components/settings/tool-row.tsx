import { Select, type SelectOption } from '@/components/ui/select'
import { Switch } from '@/components/ui/switch'
import type { ApprovalRule, ToolCallConfig, ToolRules } from '@/lib/chat/conversation'
import { executionRule } from '@/lib/tool-calls/approval-policy'
import { permissionWords } from '@/lib/tool-calls/permission-words'
import type { ToolDefinition } from '@/lib/tools/tool'

const runOptions: readonly SelectOption[] = [
  { value: 'always', label: 'asks every time' },
  { value: 'on-error', label: 'asks after a failure' },
  { value: 'never', label: 'runs alone' },
]

const resultOptions: readonly SelectOption[] = [
  { value: 'never', label: 'result: as above' },
  { value: 'on-error', label: 'result: shown when it failed' },
  { value: 'always', label: 'result: always shown first' },
]

interface ToolRowProps {
  readonly tool: ToolDefinition
  readonly config: ToolCallConfig
  readonly offered: boolean
  readonly onOffer: (on: boolean) => void
  readonly onRule: (rule: ToolRules) => void
}

export function ToolRow({ tool, config, offered, onOffer, onRule }: ToolRowProps) {
  const on = offered && config.enabled
  return (
    <div className={`toolrow${on ? '' : ' off'}`}>
      <div>
        <span className="tool">{tool.name}</span>
        <span className="tag">{permissionWords[tool.permission]}</span>
        {tool.tags.slice(1).map((tag) => (
          <span className="tag kind" key={tag}>
            {tag}
          </span>
        ))}
        <small>
          {firstSentence(tool.description)} {tool.offByDefault}
        </small>
      </div>
      <Switch
        label={`Offer ${tool.name}`}
        className="at-end"
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
    <div className="tool-rules">
      {mayChoose ? (
        <Select
          label={`When ${tool.name} asks`}
          value={rule}
          options={runOptions}
          onChange={(value) => onRule({ execution: ruleOf(value) })}
        />
      ) : (
        <span className="static">{config.requireConfirmation ? 'asks every time' : whenWords(tool)}</span>
      )}
      <Select
        label={`When the result of ${tool.name} is shown first`}
        value={own?.result ?? tool.requireResultApproval ?? 'never'}
        options={resultOptions}
        onChange={(value) => onRule({ result: ruleOf(value) })}
      />
    </div>
  )
}

const whenWords = ({ permission }: ToolDefinition): string =>
  permission === 'sensitive'
    ? 'always asks'
    : permission === 'moderate'
      ? 'asks; a yes can be remembered'
      : 'asks every time'

const ruleOf = (value: string): ApprovalRule => (value === 'never' || value === 'on-error' ? value : 'always')

const firstSentence = (text: string): string => /^.*?[.:](?=\s|$)/.exec(text)?.[0].replace(/:$/, '.') ?? text
