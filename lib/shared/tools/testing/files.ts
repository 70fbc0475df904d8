import { refuse } from '../refuse'
import { runInNewContext } from 'node:vm'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import type { Sandbox } from '@/lib/sandbox/sandbox'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import type { Vfs } from '@/lib/vfs/vfs'
import { prepareCall } from '../client-executor'
import type { CurrentItem, PathInfo, RunPorts, ToolDefinition, ToolOutcome } from '../tool'

const bytes = (content: string | Uint8Array) =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content

/** In-memory files with this content, by path. */
export async function filesWith(files: Readonly<Record<string, string | Uint8Array>>): Promise<Vfs> {
  const vfs = createMemoryVfs()
  for (const [path, content] of Object.entries(files)) await vfs.write(path, bytes(content))
  return vfs
}

export async function textOf(vfs: Vfs, path: string): Promise<string | null> {
  const read = await vfs.read(path)
  return read.ok ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(read.value) : null
}

/** Runs code for its last value as the real sandbox does, and ends it at the time limit. */
export const vmSandbox: Sandbox = {
  async run({ code, timeoutMs, signal }) {
    if (signal.aborted) return { kind: 'stopped', durationMs: 0 }
    try {
      const value = JSON.stringify(runInNewContext(code, {}, { timeout: Math.ceil(timeoutMs) }) as JsonValue)
      return { kind: 'returned', value, valueIsJson: true, durationMs: 1 }
    } catch (thrown) {
      const { code: why, message } = thrown as { code?: string; message: string }
      return why === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
        ? { kind: 'timed-out', durationMs: timeoutMs }
        : { kind: 'threw', message, durationMs: 1 }
    }
  },
  dispose: () => {},
}

export interface TestPorts {
  readonly vfs: Vfs
  readonly sandbox?: Sandbox
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
  readonly startSearchWorker?: RunPorts['startSearchWorker']
  readonly documents?: RunPorts['documents']
  readonly origin?: RunPorts['origin']
  readonly openWeb?: RunPorts['openWeb']
  readonly onEvent?: RunPorts['onEvent']
}

export async function runTool(tool: ToolDefinition, args: JsonObject, ports: TestPorts): Promise<ToolOutcome> {
  const {
    sandbox = vmSandbox,
    signal = new AbortController().signal,
    timeoutMs = 5_000,
    vfs,
    startSearchWorker,
    documents,
    origin,
    openWeb,
    onEvent = () => {},
  } = ports
  const search = startSearchWorker && { startSearchWorker }
  const call = prepareCall(tool, args)
  if (!call.ok) return refuse('invalid-arguments', call.refusals)
  const web = { ...(origin && { origin }), ...(openWeb && { openWeb }) }
  return call.run({ vfs, sandbox, signal, timeoutMs, onEvent, ...search, ...web, ...(documents && { documents }) })
}

/** The sentence of the card, with code type between backticks. */
export const sentenceOf = (
  tool: ToolDefinition,
  args: JsonObject,
  /** The node at every path, or path by path. */
  current?: CurrentItem | null | PathInfo,
): string =>
  tool.card
    .summarize(args, typeof current === 'function' ? current : () => current)
    .sentence.map((part) => (typeof part === 'string' ? part : `\`${part.code}\``))
    .join('')
