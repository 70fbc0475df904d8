'use client'

import { SentenceText } from '@/components/ui/text/foreign-text'
import { useEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/controls/button'
import { Kbd } from '@/components/ui/controls/kbd'
import { textArea } from '@/components/ui/recipes/field'
import { row } from '@/components/ui/recipes/surface'
import { Select } from '@/components/ui/forms/select'
import { Tabs } from '@/components/ui/forms/tabs'
import type { Refusal } from '@/lib/base/app-error'
import { quotedRefusal } from '@/lib/i18n/quoted-refusal'
import { createQuestionList, type QuestionList } from '@/lib/client/calls/approval/approval-ui'
import type { StrategyId } from '@/lib/protocols/types/tool-context-def'
import { useBuiltInTools } from '@/components/context/tools-context'
import { t } from '@/lib/i18n/t'
import { ArgumentForm } from './argument-form'
import { bench, benchPart, BenchTitle, type TakenCall } from './reading-state'
import { OutcomePane, RunQuestion } from './outcome-pane'
import { parseArguments } from './share-link'
import { useManualRun } from './use-manual-run'
import { CodeBlock } from '@/components/ui/code/code-block'
import { badge } from '@/components/ui/recipes/recipe'
import { useLanguage } from '@/components/ui/page/use-language'
import { toolAbout } from '@/lib/i18n/labels'
import type { ToolDefinition, ToolRuntime } from '@/lib/shared/tools/tool'
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'

const examples: Readonly<Record<string, JsonObject>> = {
  python_eval: { code: 'import statistics\nstatistics.fmean([3, 4, 8])' },
  browser_js_eval: { code: 'const sides = [3, 4]\nMath.hypot(...sides)' },
  list_directory: { path: '/' },
  read_file: { path: '/notes/hello.md' },
  write_file: { path: '/notes/hello.md', content: '# Hello\n' },
  edit_file: { path: '/notes/hello.md', edits: [{ search: '# Hello', replace: '# Hello again' }] },
  move_path: { from: '/notes/hello.md', to: '/notes/greeting.md' },
  delete_path: { path: '/notes/greeting.md' },
  show: { chart: { data: { values: [{ month: 'May', sum: 3 }] }, mark: 'bar', encoding: { x: { field: 'month' } } } },
  ask_user: { question: 'Drink?', choices: ['Tea', 'Coffee'], other: true },
  search_files: { query: 'hello', glob: '*.md' },
}

/** Initial arguments: a known example, or a value of the right type for each required parameter. */
function startingArguments(tool: ToolDefinition): string {
  return JSON.stringify(examples[tool.spec.name] ?? fromSchema(tool.spec.parameters), null, 2)
}

function fromSchema(schema: JsonObject): JsonObject {
  const properties = isJsonObject(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? (schema.required as readonly JsonValue[]) : []
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => required.includes(name))
      .map(([name, property]) => [name, valueFor(isJsonObject(property) ? property.type : null)]),
  )
}

function valueFor(type: JsonValue | undefined): JsonValue {
  switch (type) {
    case 'integer':
    case 'number':
      return 1
    case 'boolean':
      return true
    case 'array':
      return []
    case 'object':
      return {}
    default:
      return ''
  }
}

export interface RunPanelProps {
  /** The strategy whose format shows what a model would receive. */
  readonly strategy: StrategyId
  /** The page's fragment; `run:read_file` selects a tool. */
  readonly fragment: string
  /** A call from the reply above, to run as it was parsed. */
  readonly taken?: TakenCall | null
  readonly runtimeOf: (conversationId: string) => Promise<ToolRuntime>
  /** Where a run by hand asks for approval; the panel shows it. */
  readonly questions?: QuestionList
}

/** Runs one tool by hand on its own files: shows what a model would receive, without a model. */
export function RunPanel({ strategy, fragment, taken = null, runtimeOf, questions: given }: RunPanelProps) {
  const [questions] = useState(() => given ?? createQuestionList())
  const known = useBuiltInTools()
  const tools = known.list()
  const asked = fragment.startsWith('run:') ? known.get(fragment.slice(4))?.spec.name : undefined
  const [chosen, setChosen] = useState({ name: asked ?? tools[0]?.spec.name ?? '', asked })
  const name = asked !== undefined && asked !== chosen.asked ? asked : chosen.name
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map())
  const [problem, setProblem] = useState<Refusal | null>(null)
  const { ask, withdraw, stop, clear, ...hand } = useManualRun(runtimeOf, questions)
  const { running } = hand
  const [shown, setShown] = useState<TakenCall | null>(null)
  if (taken !== shown) {
    setShown(taken)
    if (taken) {
      setChosen({ name: taken.name, asked })
      setTexts(new Map(texts).set(taken.name, JSON.stringify(taken.arguments, null, 2)))
      setProblem(null)
    }
  }
  // A question about other arguments is void.
  const voidEarlier = useRef(withdraw)
  useEffect(() => {
    voidEarlier.current = withdraw
  })
  useEffect(() => {
    if (taken) voidEarlier.current()
  }, [taken])
  const region = useRef<HTMLDivElement>(null)
  const toOutcome = () => region.current?.focus({ preventScroll: true })
  const asks = hand.questions.some(({ kind }) => kind === 'run')
  const tool = known.get(name)
  if (!tool) return null
  const text = texts.get(name) ?? startingArguments(tool)
  const setText = (next: string) => {
    setTexts(new Map(texts).set(name, next))
    withdraw()
  }

  const runIt = () => {
    const args = parseArguments(text)
    setProblem(args.ok ? null : args.error)
    if (args.ok) ask(name, args.value)
    else withdraw()
  }

  const asForm = <ArgumentForm tool={tool} text={text} onChange={setText} onSubmit={runIt} />
  const asJson = (
    <>
      <label className="mb-1 block font-medium" htmlFor="arguments">
        {t('play.arguments')}
      </label>
      <textarea
        id="arguments"
        className={textArea({ holds: 'code' }, 'max-h-[60vh] min-h-36 text-code-text')}
        spellCheck={false}
        rows={8}
        value={text}
        aria-invalid={problem !== null}
        {...(problem ? { 'aria-describedby': 'arguments-problem' } : {})}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          runIt()
        }}
      />
    </>
  )

  return (
    <div className={bench({ tall: true }, 'grid-rows-[auto_1fr] narrow:grid-rows-none')} id="run">
      <section className={benchPart()} aria-label={t('play.call')}>
        <BenchTitle>
          {t('play.run-title')}
          <span className="ms-auto" />
          <Select
            label={t('play.tool')}
            boxed
            value={name}
            options={tools.map((one) => ({ value: one.spec.name, label: one.spec.name }))}
            onChange={(next) => {
              setChosen({ name: next, asked })
              setProblem(null)
              withdraw()
              // Replaces the history entry, because choosing another tool is not a navigation.
              history.replaceState(null, '', `#run:${next}`)
            }}
          />
        </BenchTitle>
        <div className="[&>:first-child]:mb-2 [&>:first-child]:px-0">
          <Tabs
            label={t('play.arguments-how')}
            items={[
              { id: 'json', label: 'JSON', panel: () => asJson },
              { id: 'form', label: t('play.form'), panel: () => asForm },
            ]}
          />
        </div>
        {problem ? (
          <p className="mt-2 text-sm text-pretty text-danger" id="arguments-problem" role="alert">
            <SentenceText text={t('play.nothing-ran', { problem: quotedRefusal(problem) })} />
          </p>
        ) : null}
        <div className={row({}, 'mt-3')}>
          <Button
            look={asks ? 'plain' : 'go'}
            wide
            className="narrow:h-touch narrow:flex-1"
            disabled={running !== null}
            onClick={runIt}
          >
            {t('play.run-tool')} <Kbd keys="mod+enter" />
          </Button>
          <Button className="narrow:h-touch narrow:flex-1" disabled={running === null} onClick={stop}>
            {t('play.stop')}
          </Button>
          <span className="ms-auto text-sm text-muted narrow:m-0 narrow:basis-full">{t('play.own-files')}</span>
        </div>
        {hand.questions.map((question) =>
          question.kind === 'run' ? <RunQuestion key={question.id} question={question} onAnswer={toOutcome} /> : null,
        )}
      </section>
      <OutcomePane {...hand} strategy={strategy} region={region} onAnswer={toOutcome} onClear={clear} />
      <AboutTool tool={tool} />
    </div>
  )
}

/** A tool's description: for people in their language, and for models verbatim. */
function AboutTool({ tool }: { tool: ToolDefinition }) {
  const language = useLanguage()
  const about = toolAbout(tool.spec.name)
  return (
    <section className={benchPart({ top: 'none' })} aria-label={t('play.tool')}>
      <BenchTitle>
        <span className="font-mono whitespace-nowrap">{tool.spec.name}</span>
        <span className={badge()}>{t(`permission.${tool.policy.permission}`)}</span>
      </BenchTitle>
      {about === null || language === 'en' ? null : (
        <>
          <p className="mb-2 max-w-column text-pretty">{about}</p>
          <p className="text-sm text-muted">{t('play.as-told')}</p>
        </>
      )}
      <p className="max-w-column text-pretty" lang="en">
        <WithCode text={tool.spec.description} />
      </p>
      <p className="mt-1 mb-3 max-w-column text-sm text-pretty text-muted">
        {t('play.reach', { ...tool.policy.capabilities, command: tool.spec.vcpCommand ?? '' })}
      </p>
      <div className="overflow-clip rounded-lg border border-line">
        <CodeBlock
          label={t('play.parameters')}
          text={JSON.stringify(tool.spec.parameters, null, 2)}
          language="json"
          maxLines={24}
        />
      </div>
    </section>
  )
}

/** Descriptions mark code with backticks for models; people see code style. */
function WithCode({ text }: { text: string }) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))
}
