'use client'

import { SentenceParts } from '@/components/tool-call/sentence'
import { badge } from '@/components/ui/recipes/badge'
import { note } from '@/components/ui/recipes/note'
import { Select } from '@/components/ui/select'
import { withParts } from '@/lib/base/sentence-part'
import { signatureOf } from '@/lib/strategies/signature'
import { tagTitle } from '@/lib/i18n/tool-facts'
import { t } from '@/lib/i18n/t'
import { groupByTag } from '@/lib/tools/group-by-tag'
import { useBuiltInTools } from '@/components/context/tools-context'
import type { ToolDefinition } from '@/lib/tools/tool'
import { bench, benchList, benchPart, BenchTitle } from './bench'
import { offerStateOf, whyOffered, type ToolAvailability } from './tool-choice'
import type { PlaygroundState } from './use-inspector'

const availabilities: readonly ToolAvailability[] = ['offered', 'off', 'unknown']

/** Every tool that was found, and why the model is, or is not, told of it under the present choice. */
export function ToolsPanel({ state }: { state: PlaygroundState }) {
  const tools = useBuiltInTools().list()
  const offered = tools.filter((tool) => tool.agentCallable && offerStateOf(state.choice, tool) === 'offered').length
  return (
    <div className={bench({ columns: 'one' })} id="tools">
      <section className={benchPart()} aria-label={t('play.found')}>
        <BenchTitle>
          {t('play.tools')}{' '}
          <span className="text-muted">{t('play.found-count', { found: tools.length, offered })}</span>
        </BenchTitle>
        {groupByTag(tools).map((group) => (
          <div key={group.tag} role="group" aria-label={t('play.group', { title: tagTitle(group.tag) })}>
            <h3 className="mt-3 mb-1 text-sm text-muted">{tagTitle(group.tag)}</h3>
            <ul className={benchList}>
              {group.tools.map((tool) => (
                <FoundTool key={tool.name} tool={tool} state={state} />
              ))}
            </ul>
          </div>
        ))}
        <p className={note({}, 'mt-2')}>{t('play.here-only')}</p>
      </section>
    </div>
  )
}

function FoundTool({ tool, state }: { tool: ToolDefinition; state: PlaygroundState }) {
  const { word, why } = whyOffered(tool, state.choice)
  const { vcpCommand } = tool
  return (
    <li className="px-3.5 py-2.75">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <a className="font-mono text-mono font-strong whitespace-nowrap" href={`#run:${tool.name}`}>
          {tool.name}
        </a>
        <span className={badge()}>{t(`permission.${tool.permission}`)}</span>
        {tool.tags.slice(1).map((tag) => (
          <span key={tag} className={badge()}>
            {tag}
          </span>
        ))}
        {vcpCommand === undefined ? null : (
          <span className="text-sm text-muted">
            <SentenceParts parts={withParts((put) => t('play.in-vcp', { name: put({ code: vcpCommand }) }))} />
          </span>
        )}
        <Select
          className="ms-auto"
          boxed
          label={t('play.counts-as', { name: tool.name })}
          value={offerStateOf(state.choice, tool)}
          disabled={!tool.agentCallable}
          options={availabilities.map((one) => ({ value: one, label: t(`play.counts.${one}`) }))}
          onChange={(value) => {
            const next = availabilities.find((one) => one === value) ?? 'offered'
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
