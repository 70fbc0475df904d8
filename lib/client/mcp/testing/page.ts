import type { JsonObject } from '@/lib/base/json'
import { ok } from '@/lib/base/result'
import type { FileAccess } from '@/lib/shared/conversation/settings/registered-tool'
import type { McpTool, ToolServer, ToolServerToSave } from '@/lib/shared/conversation/settings/tool-server'
import { decodeToolSet, toolServerToSaveSchema } from '@/lib/shared/mcp/tool-server-schema'
import { compareTools, type Comparison, setHash, setText } from '@/lib/shared/mcp/compare-tools'
import { isMarked, textMarks, type TextMarks } from '@/lib/shared/mcp/text-marks'
import { toolsOfSet } from '@/lib/shared/mcp/tools-of-set'
import { createConnectedTools } from '@/lib/shared/tools/connected-tools'
import type { ToolContext, ToolOutcome } from '@/lib/shared/tools/tool'
import type { SignedIn } from '../sign-in/signed-in'
import { createToolServers } from '../tool-servers'
import { openWorker } from './worker'

type Events = ToolContext<FileAccess>['onEvent']

/** A page with one chat and real connections; its stored data is in memory and checked as the server checks it. */
export function openPage(fetch: typeof globalThis.fetch, signedIn: Map<string, SignedIn> = new Map()) {
  const rows = new Map<string, ToolServer>()
  const sets = new Map<string, readonly McpTool[]>()
  const connected = createConnectedTools()
  const clock = { now: 1_000 }
  let runs = 0
  const servers = createToolServers({
    api: {
      toolServers: () => Promise.resolve(ok([...rows.values()])),
      async saveToolServer(id, body) {
        const { tools, ...rest } = toolServerToSaveSchema.parse(body)
        const approvedHash = tools ? await setHash(tools) : (rows.get(id)?.approvedHash ?? null)
        if (tools && approvedHash !== null) sets.set(approvedHash, decodeToolSet(setText(tools)) ?? [])
        const row = { id, ...rest, approvedHash }
        rows.set(id, row)
        return ok(row)
      },
      removeToolServer: (id) => Promise.resolve(ok(rows.delete(id))),
      toolSet: (hash) => Promise.resolve(ok(sets.get(hash) ?? [])),
      useToolServers(_chat, ids) {
        const toolSets = ids.flatMap((id) => {
          const row = rows.get(id)
          return row?.approvedHash
            ? [{ server: id, host: new URL(row.url).host, prefix: row.prefix, hash: row.approvedHash }]
            : []
        })
        return Promise.resolve(ok({ tools: [], toolSets }))
      },
    },
    open: (url) => openWorker(url, fetch, signedIn),
    connected,
    now: () => clock.now,
    monotonic: () => 0,
    wait: () => new Promise(() => {}),
    onTools: () => {},
    onCount: () => {},
  })
  const id = 's'
  const ref = (url: string) => ({ server: id, host: new URL(url).host, prefix: 'fs' })
  const row = (url: string, over: Partial<ToolServerToSave> = {}): ToolServerToSave => ({
    url,
    name: 'Files',
    prefix: 'fs',
    isOn: true,
    era: null,
    declined: [],
    ...over,
  })

  return {
    servers,
    /** How often the user pressed Run. */
    runs: () => runs,
    /** Connects to a server that is not stored. */
    test: (url: string, signal = new AbortController().signal) =>
      servers.test(url, signal, (_remote, listed) => Promise.resolve(listed)),
    /** What the user sees before anything is stored. */
    async review(url: string): Promise<Comparison> {
      const listed = await this.test(url)
      if (!listed.ok) throw new Error(listed.failure.kind)
      return compareTools(listed.value.tools, [], [])
    },
    async approve(url: string, tools: readonly McpTool[]): Promise<void> {
      await servers.load()
      await servers.save(id, row(url, { tools }))
      await servers.prepare('chat')
    },
    /** Later: a message is about to be sent. */
    async prepareLater(): Promise<Comparison | null> {
      clock.now += 10 * 60_000
      await servers.prepare('chat')
      const status = servers.getState()?.[0]?.status
      return status?.phase === 'listed' ? status.comparison : null
    },
    /** The tools that models get. */
    offered: () =>
      connected
        .of('chat')
        .map(({ name }) => name)
        .toSorted(),
    made: (url: string, tools: readonly McpTool[]) => toolsOfSet(ref(url), tools),
    /** The user presses Run. Null: nothing could run. */
    run(
      name: string,
      options: Partial<ToolContext<FileAccess>> = {},
      args: JsonObject = { path: '/a' },
    ): Promise<ToolOutcome> | null {
      const tool = connected.get('chat', name)
      if (!tool) return null
      runs += 1
      const context = {
        signal: new AbortController().signal,
        timeoutMs: 20_000,
        onEvent: (() => {}) satisfies Events,
        ...options,
      }
      return Promise.resolve(tool.execute(args, context as unknown as ToolContext<FileAccess>))
    },
  }
}

/** The marks on a tool, and whether it is approved unless the user deselects it. */
export function marksOn(name: string, { pending }: Comparison, builtIn: readonly string[]): Partial<TextMarks> {
  const tool = pending.find((one) => one.tool.name === name)?.tool
  if (!tool) throw new Error(`${name} is not shown`)
  const marks = textMarks(tool, [...builtIn, ...pending.map((one) => one.tool.name)])
  if (!isMarked(marks)) return {}
  return Object.fromEntries(Object.entries(marks).filter(([, mark]) => mark !== false && mark !== 0))
}
