import { noFiles, readOnlyVfs } from '@/lib/vfs/read-only/read-only-vfs'
import type { FileAccess, RunPorts, ToolContext, ToolOf, ToolDefinition, ToolOutcome } from './tool'
import type { JsonObject } from '@/lib/base/json'

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

const declares = <A extends FileAccess>(tool: ToolDefinition, access: A): tool is ToolDefinition & ToolOf<A> =>
  tool.capabilities.files === access

/** Runs a tool with what its `capabilities` name of these ports, and nothing else. Rejects where the tool does. */
export async function runDeclared(tool: ToolDefinition, args: JsonObject, ports: RunPorts): Promise<ToolOutcome> {
  if (declares(tool, 'write')) return tool.run(args, contexts.write(ports))
  if (declares(tool, 'read')) return tool.run(args, contexts.read(ports))
  if (declares(tool, 'none')) return tool.run(args, contexts.none(ports))
  // A tool that was registered from outside may declare anything.
  throw new Error(`${(tool as ToolDefinition).name} does not declare whether it reads or changes files`)
}
