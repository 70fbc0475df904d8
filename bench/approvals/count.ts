import { createFilesCopy } from '@/lib/vfs/copy/files-copy'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import type { FileChange, Vfs } from '@/lib/vfs/vfs'
import { executionRule, runsOnCopy, type ToolFacts } from '@/lib/shared/calls/approval-policy'
import { effectsOf, excessOf, suggestedScope } from '@/lib/shared/calls/effects'
import type { CopyEffect } from '@/lib/shared/conversation/wire/call-requests'
import { defaultToolConfig } from '@/lib/shared/conversation/settings/registered-tool'
import { executeTool } from '@/lib/shared/tools/client-executor'
import { builtIn } from '@/lib/shared/tools/testing/built-in'
import type { RunPorts } from '@/lib/shared/tools/tool'
import { remoteTool, type ScriptedCall, type ScriptedTask } from './tasks'

/*
 * Counts how often a user decides in a task, by the product's rules and its calls' real effects on files. Calls run
 * with the product's tools on a copy in memory; code is replaced by the effects in the script.
 */

const config = defaultToolConfig

/** As a tool server declares a read-only tool. */
const remoteFacts: ToolFacts = {
  spec: { name: remoteTool },
  policy: { permission: 'moderate', capabilities: { files: 'none', network: 'remote' } },
}
const factsOf = (name: string): ToolFacts => {
  const facts = name === remoteTool ? remoteFacts : builtIn.get(name)
  if (!facts) throw new Error(`There is no tool ${name}.`)
  return facts
}

const bytes = (text: string) => new TextEncoder().encode(text)

const playedCode = (does: ScriptedCall['does'] = {}): RunPorts['sandbox'] => ({
  dispose: () => {},
  async run({ vfs }) {
    await vfs.snapshot()
    const changes = Object.entries(does).map(([path, text]): FileChange =>
      text === null ? { kind: 'remove', path } : { kind: 'write', path, data: bytes(text) },
    )
    const applied = await vfs.apply(changes)
    if (!applied.ok) throw new Error(applied.error.message)
    return { kind: 'returned', value: '"done"', valueIsJson: true, durationMs: 1 }
  },
})

async function runCall(files: Vfs, call: ScriptedCall, at: readonly [number, number]): Promise<void> {
  const { tool, args, does } = call
  const [round, slot] = at
  // These calls change no file.
  if (tool === remoteTool || asks(call)) return
  const origin = { kind: 'call', messageId: `m${round}`, slot, attempt: 1, tool } as const
  const ran = await executeTool(
    builtIn.get(tool),
    args,
    {
      vfs: files.recording(origin),
      sandbox: playedCode(does),
      signal: new AbortController().signal,
      timeoutMs: 5_000,
      onEvent: () => {},
      origin,
      onCopy: true,
    },
    { monotonic: () => 0, name: tool },
  )
  if (ran.status !== 'completed') throw new Error(`${tool} of the script failed: ${JSON.stringify(ran.result)}`)
}

/** The task's changes, as the browser records them. */
export async function effectsOfTask({ files, replies }: ScriptedTask): Promise<readonly CopyEffect[]> {
  const base = createMemoryVfs()
  for (const [path, text] of Object.entries(files)) await base.write(path, bytes(text))
  const copy = createFilesCopy(base, createMemoryVfs({ copyOf: base }))
  for (const [round, calls] of replies.entries()) {
    for (const [slot, call] of calls.entries()) await runCall(copy.files, call, [round, slot])
  }
  const changes = await copy.changes()
  if (!changes.ok) throw new Error(changes.error.message)
  return effectsOf(changes.value.rows)
}

const waits = ({ tool }: ScriptedCall): boolean => executionRule(factsOf(tool), config) !== 'never'
const asks = ({ tool }: ScriptedCall): boolean => factsOf(tool).policy.asksUser === true
const needsClickOnCopy = ({ tool }: ScriptedCall): boolean => !runsOnCopy(factsOf(tool))

/** Nod asks whether to continue after this many automatic rounds. */
const continues = (rounds: number): number => Math.max(0, Math.floor((rounds - 1) / config.maxIterations))

/** Clicks of a task whose calls run on a copy from reply `from` on, without its start and end. */
const onCopy = (replies: ScriptedTask['replies'], from: number): number =>
  replies.slice(from).flat().filter(needsClickOnCopy).length + continues(replies.length - from)

export interface Approvals {
  readonly everyCall: number
  readonly runAll: number
  /** The copy starts at the second card. */
  readonly copy: number
  /** The chat starts tasks on a copy. */
  readonly beginsOnCopy: number
  /** Under the approval that is offered after a similar task. */
  readonly grant: number
}

export async function approvalsOf(task: ScriptedTask): Promise<Approvals> {
  const { replies } = task
  const effects = await effectsOfTask(task)
  const waiting = replies.map((calls) => calls.filter(waits))
  // A question is answered on its own card; everything else in a reply runs by one click.
  const clicksOf = (calls: readonly ScriptedCall[]): number =>
    calls.filter(asks).length + (calls.some((call) => !asks(call)) ? 1 : 0)
  const end = effects.length > 0 ? 1 : 0
  const exceeds = excessOf(suggestedScope(effects), effects).length > 0
  return {
    everyCall: waiting.flat().length,
    runAll: waiting.reduce((sum, calls) => sum + clicksOf(calls), 0),
    copy: copyClicks(replies, waiting, clicksOf) + end,
    beginsOnCopy: onCopy(replies, 0) + end,
    grant: onCopy(replies, 0) + (exceeds ? 1 : 0),
  }
}

/** The offer is on the second waiting card: in the first reply with several, else in the second reply with one. */
function copyClicks(
  replies: ScriptedTask['replies'],
  waiting: ScriptedTask['replies'],
  clicksOf: (calls: readonly ScriptedCall[]) => number,
): number {
  let ran = 0
  let clicks = 0
  for (const [round, calls] of waiting.entries()) {
    const canBegin = calls.some((call) => !needsClickOnCopy(call))
    if (canBegin && ran + calls.length > 1) return clicks + 1 + onCopy(replies, round)
    ran += calls.length
    clicks += clicksOf(calls)
  }
  return clicks
}

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const [low = 0, high = 0] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.ceil((sorted.length - 1) / 2)]]
  return (low + high) / 2
}

const columns = [
  ['everyCall', 'every call'],
  ['runAll', 'Run all'],
  ['copy', 'on a copy'],
  ['beginsOnCopy', 'begins on a copy'],
  ['grant', 'under an approval'],
] as const satisfies readonly (readonly [keyof Approvals, string])[]

/** A table as the docs formatter writes it: the first column left-aligned, the others right-aligned. */
function tableOf(rows: readonly (readonly string[])[]): string {
  const [head = []] = rows
  const widths = head.map((_, at) => Math.max(3, ...rows.map((cells) => cells[at]?.length ?? 0)))
  const rule = widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  const lineOf = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join(' | ')} |`
  return [head, rule, ...rows.slice(1)].map(lineOf).join('\n')
}

/** The docs page. */
export async function approvalsPage(tasks: readonly ScriptedTask[]): Promise<string> {
  const counted: Approvals[] = []
  for (const task of tasks) counted.push(await approvalsOf(task))
  const ofAll = (how: (values: readonly number[]) => number) =>
    columns.map(([key]) => String(how(counted.map((approvals) => approvals[key]))))
  const rows = tasks.map(({ name }, at) => [name, ...columns.map(([key]) => String(counted[at]?.[key]))])
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  return `# Approvals per task

How often a user decides in ${tasks.length} scripted tasks. \`npm run bench -- approvals --write\` writes this page from the rules of the
product and from what the calls of each script do to files. Answers to questions of the model, calls to tool servers and
Continue after ${config.maxIterations} rounds are counted.

- **every call**: each waiting call by its own click; the default of a new chat.
- **Run all**: one click for all calls of a reply.
- **on a copy**: begun by a click on the second card, ended by Keep.
- **begins on a copy**: the copy was chosen with the message, or the chat begins its tasks on one; ended by Keep.
- **under an approval**: as offered after a task of this kind. Deletions are not part of it, so such a task waits.

${tableOf([
  ['task', ...columns.map(([, head]) => head)],
  ...rows,
  ['**median**', ...ofAll(median)],
  ['**sum**', ...ofAll(sum)],
])}
`
}
