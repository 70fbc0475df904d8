import { err, ok, type Result, assertNever } from '@/lib/base/result'
import type { SandboxLanguage, SandboxEvent, SandboxTools } from '@/lib/sandbox/sandbox'
import { nameOf, normalizePath, parentOf, type ChangedPath } from '@/lib/vfs/path'
import { refuse, failWith, foreignFailure } from './refuse'
import { english, formatBytes } from '@/lib/base/text/locale'
import { type JsonObject, type JsonValue, isJsonObject } from '@/lib/base/json'
import type { RunFiles } from '@/lib/vfs/vfs'
import { makeModelMessage, refusalText, type ModelMessage } from '@/lib/i18n/t'
import type { ToolContext, ToolOutcome } from './tool'
import { errorText } from '@/lib/base/app-error'
import type { FileChanges } from '@/lib/shared/conversation/call-record'
import { createPendingChanges, type PendingChanges } from '@/lib/vfs/pending/pending-changes'
import { skillsFirst } from '@/lib/shared/skills/skill-path'
import { inTurn } from './offload-result'

/* Runs a script of the chat's files as code, with arguments, as a shell would. */

type Failure = Extract<ToolOutcome, { readonly ok: false }>

const runners = { python: 'python_eval', javascript: 'browser_js_eval' } as const
const endings: readonly (readonly [language: keyof typeof runners | 'shell', names: RegExp])[] = [
  ['python', /\.py$/i],
  ['javascript', /\.(?:[cm]?js|[cm]?ts)$/i],
  ['shell', /\.(?:sh|bash|zsh|fish|ps1|bat|cmd)$/i],
]

/** The code that a call with these arguments runs. */
export async function codeToRun(
  { code = '', file = '', args = [] }: CodeArguments,
  context: ToolContext<'write'>,
  language: SandboxLanguage,
): Promise<Result<string, ToolOutcome>> {
  if ((code === '') === (file === '')) return err(refuse('invalid-arguments', makeModelMessage('told.script-or-code')))
  if (file === '') return ok(code)
  const place = normalizePath(file)
  if (!place.ok) return err(await failWith(place.error, context.vfs, 'file'))
  const path = place.value
  const wrong = wrongLanguage(path, language)
  if (wrong) return err(wrong)
  const found = await context.vfs.stat(path)
  if (!found.ok) return err(await failWith(found.error, context.vfs, 'file'))
  return ok(language === 'python' ? pythonCode(path, args) : javaScriptCode(path, args))
}

export interface CodeArguments {
  readonly code?: string | undefined
  readonly file?: string | undefined
  readonly args?: readonly string[] | undefined
}

function wrongLanguage(path: string, language: SandboxLanguage): Failure | null {
  const [kind] = endings.find(([, names]) => names.test(path)) ?? []
  if (kind === language) return null
  const name = nameOf(path)
  if (kind === 'shell') return refuse('no-shell', makeModelMessage('told.script-shell', { name }))
  if (kind === undefined) return refuse('no-script', makeModelMessage('told.script-unknown', { name }))
  return refuse('other-language', makeModelMessage('told.script-other', { name, tool: runners[kind] }))
}

/**
 * JSON strings are valid Python strings too: well-formed text contains nothing that JSON writes raw and Python rejects.
 */
const text = (value: string) => JSON.stringify(value.toWellFormed())

const pythonCode = (path: string, args: readonly string[]): string =>
  [
    'import runpy, sys',
    `sys.argv = [${[path, ...args].map(text).join(', ')}]`,
    `sys.path.insert(0, ${text(parentOf(path))})`,
    `_ = runpy.run_path(${text(path)}, run_name="__main__")`,
  ].join('\n')

const javaScriptCode = (path: string, args: readonly string[]): string =>
  [`process.argv = [${['node', path, ...args].map(text).join(', ')}]`, `await import(${text(path)})`, 'undefined'].join(
    '\n',
  )

/** Paths that an outcome names; its `total` counts the rest. */
const maxNamed = 200
/** The largest number of paths in a result. */
const maxPathsForModel = 40

/**
 * Runs code on a layer over the conversation's files and then settles its changes: the user is asked if the context
 * says so, else all are kept. Keeping is one step, all or nothing. A run that did not end by itself (stopped, timed
 * out, its sandbox gone) changes no file; one that threw keeps its changes until then. The result says what was
 * created, changed and deleted, or why nothing was.
 */
export async function runOnLayer(
  context: ToolContext<'write'>,
  run: (files: RunFiles) => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const layer = createPendingChanges(context.vfs)
  const outcome = await run(layer.files)
  const all = skillsFirst(layer.changes())
  if (all.length === 0) return outcome.ok ? outcome : withWords(outcome, makeModelMessage('told.files.unchanged'))
  if (!outcome.ok && outcome.reason !== 'threw') return withWords(outcome, makeModelMessage('told.files.not-kept'))
  const named = { changes: all.slice(0, maxNamed), total: all.length }
  const answer = (await context.review?.({ ...named, texts: (path) => layer.texts(path) })) ?? 'keep'
  if (answer === 'discard') return settled(outcome, { ...named, kept: false }, all, discarded)
  const problem = await keep(context, layer)
  if (problem === null) return settled(outcome, { ...named, kept: true }, all, null)
  return settled(outcome, { ...named, kept: false }, all, `${noneKept} ${problem}`)
}

const noneKept = 'None of its changes to files were kept.'

const discarded =
  'The user looked at what the code did to the files and did not keep it: all files are as they were before.'

/** Null if it worked, else why nothing was changed. */
async function keep({ vfs }: ToolContext<'write'>, layer: PendingChanges): Promise<string | null> {
  try {
    const kept = await inTurn(vfs, () => layer.commit())
    return kept.ok ? null : refusalText(kept.error, 'en')
  } catch (thrown) {
    return errorText(thrown)
  }
}

/** The outcome with the effects on files, for the card and for the model. */
function settled(
  outcome: ToolOutcome,
  files: FileChanges,
  all: readonly ChangedPath[],
  problem: string | null,
): ToolOutcome {
  const modelPaths = pathsForModel(all)
  const more: JsonObject =
    problem === null ? { files: modelPaths } : { files_not_kept: modelPaths, files_note: problem }
  if (outcome.ok) return { ...outcome, files, result: joined(outcome.result, more) }
  return { ...outcome, files, result: joined(outcome.result ?? { error: outcome.message }, more) }
}

/** A failure whose sentence continues with the effects on files. */
function withWords(
  outcome: ToolOutcome & { readonly ok: false },
  words: ModelMessage,
): ToolOutcome & { readonly ok: false } {
  // Code that threw has its own text, often several lines, which stays unchanged.
  if (outcome.reason === 'threw') return outcome
  const message = `${outcome.message} ${words.message}`
  const reasons = outcome.said && [...outcome.said, words]
  const { result } = outcome
  return isJsonObject(result)
    ? { ...outcome, message, said: reasons, result: { ...result, error: message } }
    : { ...outcome, message, said: reasons }
}

const joined = (result: ToolOutcome['result'], more: JsonObject): JsonObject =>
  isJsonObject(result) ? { ...result, ...more } : { value: result ?? null, ...more }

function pathsForModel(all: readonly ChangedPath[]): readonly string[] {
  const lines = all.slice(0, maxPathsForModel).map(({ path, change, kind, size }) => {
    if (kind === 'directory') return `${change} ${path}/`
    return change === 'deleted' ? `deleted ${path}` : `${change} ${path}, ${formatBytes(size)}`
  })
  return all.length > maxPathsForModel ? [...lines, `… ${all.length - maxPathsForModel} more`] : lines
}

/** Console lines that the model gets; all of them stay on the card. */
const maxConsoleLines = 200
const maxConsoleCharacters = 16_000

function consoleForModel(events: readonly SandboxEvent[]): readonly string[] {
  const lines: string[] = []
  let characters = 0
  let left = 0
  for (const event of events) {
    if (event.type !== 'console') continue
    const line = event.level === 'log' ? event.text : `[${event.level}] ${event.text}`
    characters += line.length
    if (lines.length >= maxConsoleLines || characters > maxConsoleCharacters) left++
    else lines.push(line)
  }
  if (left > 0)
    lines.push(
      `… ${left} more console ${english.plural(left, { one: 'line', other: 'lines' })}, shown to the user only`,
    )
  return lines
}

const describeDisplays = (events: readonly SandboxEvent[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'display' ? [`${event.kind}, ${formatBytes(event.data.length)}`] : []))

/** The code's output besides its value: only non-empty fields. */
function traces(events: readonly SandboxEvent[]): JsonObject {
  const lines = consoleForModel(events)
  const shown = describeDisplays(events)
  return { ...(lines.length > 0 && { console: lines }), ...(shown.length > 0 && { displayed: shown }) }
}

/** For the model: the tools that the code called, and how often. The model sees their results only through the code. */
function countCalls(inner: SandboxTools | undefined) {
  if (!inner) return null
  let ran = 0
  let failed = 0
  const tools: SandboxTools = {
    names: inner.names,
    async call(request, signal) {
      const answer = await inner.call(request, signal)
      if (signal.aborted) return answer
      if (answer.ok) ran += 1
      else failed += 1
      return answer
    },
  }
  const modelResult = (): JsonObject => {
    if (ran + failed === 0) return {}
    const words = `${ran} inner ${english.plural(ran, { one: 'call', other: 'calls' })} ran`
    return { tools: failed === 0 ? words : `${words}, ${failed} failed or ${failed === 1 ? 'was' : 'were'} denied` }
  }
  return { tools, told: modelResult }
}

function valueOf(value: string, isJson: boolean): JsonValue {
  if (!isJson) return value
  try {
    return JSON.parse(value) as JsonValue
  } catch {
    // The worker is foreign: it may claim JSON and send something else.
    return value
  }
}

/**
 * Runs code, or a script of the chat's files, in the context's sandbox, on a layer over the files. The result contains
 * `value`, `console`, `displayed` and the effects on files, if there are any.
 */
export async function runCode(
  args: CodeArguments,
  context: ToolContext<'write'>,
  language: SandboxLanguage = 'javascript',
): Promise<ToolOutcome> {
  const code = await codeToRun(args, context, language)
  return code.ok ? runOnLayer(context, (files) => runInSandbox(code.value, context, files, language)) : code.error
}

/** It was stopped while it waited for its turn. */
const neverBegan = (events: readonly SandboxEvent[]): boolean =>
  events.some((event) => event.type === 'turn') && !events.some((event) => event.type === 'turn' && !event.waits)

async function runInSandbox(
  code: string,
  context: ToolContext<'write'>,
  files: RunFiles,
  language: SandboxLanguage,
): Promise<ToolOutcome> {
  const events: SandboxEvent[] = []
  const called = countCalls(context.inner)
  const outcome = await context.sandbox.run({
    code,
    language,
    ...(called && { tools: called.tools }),
    vfs: files,
    timeoutMs: context.timeoutMs,
    signal: context.signal,
    onEvent(event) {
      events.push(event)
      context.onEvent(event)
    },
  })
  const left = { ...traces(events), ...called?.told() }
  switch (outcome.kind) {
    case 'returned': {
      const nothing = !outcome.valueIsJson && outcome.value === 'undefined'
      if (!nothing) return { ok: true, result: { value: valueOf(outcome.value, outcome.valueIsJson), ...left } }
      const note = 'The code ran to its end and returned nothing.'
      return { ok: true, result: Object.keys(left).length > 0 ? left : { note } }
    }
    case 'threw':
      return foreignFailure('threw', outcome.message, left)
    case 'timed-out': {
      const seconds = Math.round(context.timeoutMs / 100) / 10
      return refuse('timed-out', makeModelMessage('told.code-time', { seconds }), left)
    }
    case 'stopped':
      return refuse('stopped', makeModelMessage(neverBegan(events) ? 'told.stopped-before' : 'told.code-stopped'), left)
    case 'flooded':
    case 'unavailable':
      return refuse(outcome.kind, outcome.refusal, left)
    default:
      return assertNever(outcome)
  }
}
