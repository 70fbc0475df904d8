import { withParts } from '@/lib/base/untrusted-text/sentence-part'
import { makeTold, t, type Told } from '@/lib/i18n/t'
import { quoted } from '@/lib/base/untrusted-text/foreign-text'
import type { JsonObject } from '@/lib/base/json'
import type { RegisteredTool, FileAccess } from '@/lib/shared/conversation/settings/registered-tool'
import { refuse } from './refuse'
import { remoteFacts } from './remote-tool'
import type { CallSummary, ToolContext, ToolDefinition, ToolOutcome, ToolPolicy } from './tool'

/** What carries out a registered tool, with the files that it declares. Expected failures are data, as for any tool. */
export type ToolExecutor = (args: JsonObject, context: ToolContext<FileAccess>) => Promise<ToolOutcome>

const notOffered = {
  imported: 'tool.imported',
  damaged: 'tool.damaged',
} as const

/** Why a call of a registered tool cannot run in this tab, with the way on. */
export const notConnected = (name: string): Told => makeTold('told.not-connected', { name })

/**
 * A registered tool as every other one. Its arguments were held against its schema by whoever read the call; the tool's own
 * server is the last to check them. Without `execute` it can be read and shown, and a run of it says why not.
 */
export function toolOfRegistered(tool: RegisteredTool, execute?: ToolExecutor): ToolDefinition {
  const { name, description, parameters, permission, files, icon = 'plug', origin, remote } = tool
  const facts = remote ? remoteFacts(remote) : null
  const policy: Omit<ToolPolicy, 'capabilities'> = {
    permission: origin === 'registered' ? permission : 'sensitive',
    agentCallable: true,
    ...(origin !== 'registered' && { offByDefault: () => t(notOffered[origin]) }),
    ...facts?.policy,
  }
  const definition = {
    spec: { name, description, parameters },
    policy: { ...policy, capabilities: { files, network: remote ? 'remote' : 'own server' } },
    card: { icon, tags: ['your own server'], summarize: () => summaryOf(tool), ...facts?.card },
    run: (args: JsonObject) => ({
      ok: true,
      run: (context: ToolContext<FileAccess>) =>
        execute?.(args, context) ?? Promise.resolve(refuse('not-connected', notConnected(name))),
    }),
  }
  // Which files its executor gets is what it declares: `prepareCall` makes the context by that.
  return definition as ToolDefinition
}

/** Its title is the word of its server, and says so. */
const summaryOf = ({ name, title }: RegisteredTool): CallSummary => ({
  head: '',
  headIsCode: false,
  sentence: withParts((part) =>
    title === undefined
      ? t('tool.yours', { name: part({ code: name }) })
      : t('tool.yours-called', { name: part({ code: name }), title: quoted(title, 100) }),
  ),
  body: { kind: 'arguments' },
})
