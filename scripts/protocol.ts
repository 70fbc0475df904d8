import '@/lib/i18n/server-messages'
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { replyAsJson } from '@/lib/protocols/types/segment'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import type {
  CallToWrite,
  ResultToWrite,
  StrategyId,
  ToolExecuteStatus,
  ToolSpec,
} from '@/lib/protocols/types/tool-context-def'
import { isJsonObject, type JsonValue } from '@/lib/base/json'
import { builtInTools } from '@/lib/shared/tools/built-in-registry'
import { createToolRegistry } from '@/lib/shared/tools/tool-registry'

/*
 * The strategies from the shell:
 *
 *   protocol parse  --strategy S [--chunk N] [--tools FILE] < reply.txt     the reply's segments as JSON
 *   protocol parse  --jsonl [--strategy S] [--chunk N] < lines.jsonl         {"id","strategy","text","tools"?} a line
 *   protocol prompt --strategy S                                            the tools block
 *   protocol format --strategy S < calls.json                               {"calls":[{"name","arguments"}]}
 *   protocol result --strategy S [--boundary B] < results.json              {"results":[{"id","name","status","result"}]}
 *
 * Bad usage or bad input: one line on stderr, exit 2. A bad line of --jsonl prints {"id","line","error"} in its place,
 * the other lines are still answered, and the exit code is 2.
 */

class UsageError extends Error {}

interface Options {
  readonly command: string
  readonly strategy: StrategyId | null
  readonly chunk: number
  readonly jsonl: boolean
  readonly tools: string | null
  readonly boundary: string | null
}

const COMMANDS = ['parse', 'prompt', 'format', 'result']
const STATUSES: readonly ToolExecuteStatus[] = [
  'completed',
  'error',
  'execution_rejected',
  'result_rejected',
  'skipped',
  'interrupted',
  'cancelled',
  'not_found',
]

function readOptions(argv: readonly string[]): Options {
  const [command, ...rest] = argv
  if (command === undefined || !COMMANDS.includes(command))
    throw new UsageError(`usage: protocol ${COMMANDS.join('|')} --strategy ${strategyNames('|')} [--jsonl] [--chunk N]`)
  const values = new Map<string, string>()
  let jsonl = false
  for (let i = 0; i < rest.length; i++) {
    const [name = '', inline] = (rest[i] ?? '').split(/=(.*)/s, 2)
    if (name === '--jsonl' && command === 'parse') jsonl = true
    else if (['--strategy', '--chunk', '--tools', '--boundary'].includes(name)) {
      const value = inline ?? rest[++i]
      if (value === undefined) throw new UsageError(`${name} needs a value`)
      values.set(name, value)
    } else throw new UsageError(`unknown option ${name} for ${command}`)
  }
  const strategy = values.get('--strategy')
  if (strategy === undefined && !jsonl) throw new UsageError(`--strategy is required: ${strategyNames(', ')}`)
  const chunk = values.get('--chunk')
  if (chunk !== undefined && !/^[1-9]\d{0,8}$/.test(chunk))
    throw new UsageError('--chunk must be a whole number from 1')
  const boundary = values.get('--boundary') ?? null
  if (boundary !== null && !/^[a-z0-9]{8,64}$/.test(boundary))
    throw new UsageError('--boundary must be 8 to 64 of a-z and 0-9')
  return {
    command,
    strategy: strategy === undefined ? null : strategyOf(strategy),
    chunk: chunk === undefined ? 0 : Number(chunk),
    jsonl,
    tools: values.get('--tools') ?? null,
    boundary,
  }
}

const strategyNames = (separator: string): string => toolContextBuilder.strategies.map((one) => one.id).join(separator)

function strategyOf(value: unknown): StrategyId {
  if (toolContextBuilder.isStrategyId(value)) return value
  throw new UsageError(`unknown strategy ${JSON.stringify(value)}; there are ${strategyNames(', ')}`)
}

function parseJson(text: string, what: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch (error) {
    throw new UsageError(
      `${what} is not JSON: ${error instanceof Error ? error.message.replaceAll('\n', ' ') : String(error)}`,
    )
  }
}

/** Specs from outside: `[{name, description, parameters}]`. */
function toolsOf(value: JsonValue | undefined, fallback: readonly ToolSpec[]): readonly ToolSpec[] {
  if (value === undefined || value === null) return fallback
  if (!Array.isArray(value)) throw new UsageError('tools must be a list of {name, description, parameters}')
  return value.map((tool: JsonValue, i) => {
    if (!isJsonObject(tool) || typeof tool['name'] !== 'string') throw new UsageError(`tools[${i}] has no name`)
    const { name, description, parameters, vcpCommand, disabled } = tool
    return {
      name,
      description: typeof description === 'string' ? description : '',
      parameters: isJsonObject(parameters) ? parameters : { type: 'object', properties: {} },
      ...(typeof vcpCommand === 'string' ? { vcpCommand } : {}),
      ...(disabled === true ? { disabled: true } : {}),
    }
  })
}

function parseReply(strategy: StrategyId, text: string, tools: readonly ToolSpec[], chunk: number) {
  const scanner = toolContextBuilder.get(strategy).createScanner(tools)
  if (chunk === 0) scanner.push(text)
  else for (let i = 0; i < text.length; i += chunk) scanner.push(text.slice(i, i + chunk))
  return replyAsJson(text, scanner.end())
}

/** One line of --jsonl; never throws. */
function answerLine(
  line: string,
  number: number,
  options: Options,
  tools: readonly ToolSpec[],
): { text: string; ok: boolean } {
  let id: JsonValue = null
  try {
    const input = parseJson(line, `line ${number}`)
    if (!isJsonObject(input)) throw new UsageError(`line ${number} is no object`)
    id = input['id'] ?? null
    if (typeof input['text'] !== 'string') throw new UsageError(`line ${number} has no text`)
    const strategy = strategyOf(input['strategy'] ?? options.strategy ?? undefined)
    const reply = parseReply(strategy, input['text'], toolsOf(input['tools'], tools), options.chunk)
    return { text: JSON.stringify({ id, ...reply }), ok: true }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { text: JSON.stringify({ id, line: number, error: error.message }), ok: false }
  }
}

function callsOf(input: JsonValue): readonly CallToWrite[] {
  const list = isJsonObject(input) ? input['calls'] : undefined
  if (!Array.isArray(list)) throw new UsageError('the input must be {"calls":[{"name","arguments"}]}')
  return list.map((call: JsonValue, i) => {
    if (!isJsonObject(call) || typeof call['name'] !== 'string') throw new UsageError(`calls[${i}] has no name`)
    const args = call['arguments'] ?? {}
    if (!isJsonObject(args)) throw new UsageError(`calls[${i}].arguments must be an object`)
    return { name: call['name'], arguments: args }
  })
}

function resultsOf(input: JsonValue): readonly ResultToWrite[] {
  const list = isJsonObject(input) ? input['results'] : undefined
  if (!Array.isArray(list)) throw new UsageError('the input must be {"results":[{"id","name","status","result"}]}')
  return list.map((one: JsonValue, i) => {
    if (!isJsonObject(one)) throw new UsageError(`results[${i}] is no object`)
    const { id, name, status = 'completed', result = null } = one
    const known = STATUSES.find((value) => value === status)
    if (typeof id !== 'string' || typeof name !== 'string') throw new UsageError(`results[${i}] needs id and name`)
    if (known === undefined) throw new UsageError(`results[${i}].status must be one of ${STATUSES.join(', ')}`)
    return { id, name, status: known, result: result ?? null }
  })
}

const randomBoundary = (): string => crypto.randomUUID().replaceAll('-', '').slice(0, 16)

/** Standard input as text; keeps a byte order mark. */
async function readInput(): Promise<string> {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await buffer(process.stdin))
}

/** Waits for a pipe's reader, so that large output is neither cut nor buffered. */
function write(text: string): Promise<void> {
  return new Promise((resolve, reject) => process.stdout.write(text, (error) => (error ? reject(error) : resolve())))
}

async function run(options: Options): Promise<boolean> {
  const builtIn = createToolRegistry(builtInTools).of([]).specs()
  const tools =
    options.tools === null ? builtIn : toolsOf(parseJson(await readFileOf(options.tools), options.tools), builtIn)
  if (options.jsonl) {
    let allOk = true
    const lines = (await readInput()).split('\n')
    for (const [i, line] of lines.entries()) {
      if (line.trim() === '') continue
      const answer = answerLine(line, i + 1, options, tools)
      if (!answer.ok) process.stderr.write(`protocol: bad input on line ${i + 1}\n`)
      allOk &&= answer.ok
      await write(`${answer.text}\n`)
    }
    return allOk
  }
  const strategy = strategyOf(options.strategy)
  const def = toolContextBuilder.get(strategy)
  switch (options.command) {
    case 'parse':
      await write(`${JSON.stringify(parseReply(strategy, await readInput(), tools, options.chunk), null, 2)}\n`)
      return true
    case 'prompt':
      await write(`${toolContextBuilder.spliceSystemPrompt('', { strategy, tools, enabled: true })}\n`)
      return true
    case 'format':
      await write(`${def.formatCalls(callsOf(parseJson(await readInput(), 'the input')))}\n`)
      return true
    default: {
      const results = resultsOf(parseJson(await readInput(), 'the input'))
      await write(`${def.formatResults(results, options.boundary ?? randomBoundary()).text}\n`)
      return true
    }
  }
}

async function readFileOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    throw new UsageError(`${path} can't be read`)
  }
}

try {
  process.exitCode = (await run(readOptions(process.argv.slice(2)))) ? 0 : 2
} catch (error) {
  if (error instanceof UsageError) {
    process.stderr.write(`protocol: ${error.message}\n`)
    process.exitCode = 2
  } else if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error
}
