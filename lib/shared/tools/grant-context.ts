import { noFiles, readOnlyVfs } from '@/lib/vfs/read-only/read-only-vfs'
import { makeTold, type Told } from '@/lib/i18n/t'
import type { JsonObject } from '@/lib/base/json'
import type { FileAccess } from '@/lib/shared/conversation/settings/registered-tool'
import type { PreparedCall, RunPorts, ToolContext, ToolDefinition, ToolOutcome } from './tool'

/*
 * What a tool declares is what it gets. Its `capabilities` decide which files its code, and the code that it hands to the
 * sandbox, can reach: the context is made here from the ports of the run, for every tool alike, so that no tool has to be
 * trusted to keep its word.
 */

const contexts: { readonly [A in FileAccess]: (ports: RunPorts) => ToolContext<A> } = {
  none: ({ vfs: _vfs, review: _review, sandbox, ...ports }) => ({
    ...ports,
    vfs: null,
    sandbox: { run: (run) => sandbox.run({ ...run, vfs: noFiles }) },
  }),
  read: ({ vfs, review: _review, sandbox, ...ports }) => ({
    ...ports,
    vfs: readOnlyVfs(vfs),
    // Whichever files the tool names for its code: they can be read.
    sandbox: { run: (run) => sandbox.run({ ...run, vfs: readOnlyVfs(run.vfs) }) },
  }),
  write: ({ sandbox, ...ports }) => ({ ...ports, sandbox: { run: (run) => sandbox.run(run) } }),
}

type Declaring<A extends FileAccess> = Extract<
  ToolDefinition,
  { readonly policy: { readonly capabilities: { readonly files: A } } }
>

const declares = <A extends FileAccess>(tool: ToolDefinition, access: A): tool is Declaring<A> =>
  tool.policy.capabilities.files === access

/** A call that is ready to run, with what its tool declares of the ports that it gets then, and nothing else. */
export type ReadyCall =
  | { readonly ok: true; readonly run: (ports: RunPorts) => Promise<ToolOutcome> }
  | { readonly ok: false; readonly told: readonly Told[] }

/** Checks the arguments, once. What it gives rejects where the tool does. */
export function prepareCall(tool: ToolDefinition, args: JsonObject): ReadyCall {
  if (declares(tool, 'write')) return ready(tool.run(args), contexts.write)
  if (declares(tool, 'read')) return ready(tool.run(args), contexts.read)
  if (declares(tool, 'none')) return ready(tool.run(args), contexts.none)
  // A tool that was registered from outside may declare anything.
  const { name } = (tool as ToolDefinition).spec
  return { ok: false, told: [makeTold('told.undeclared', { name })] }
}

const ready = <A extends FileAccess>(
  call: PreparedCall<A>,
  contextOf: (ports: RunPorts) => ToolContext<A>,
): ReadyCall => (call.ok ? { ok: true, run: (ports) => call.run(contextOf(ports)) } : call)
